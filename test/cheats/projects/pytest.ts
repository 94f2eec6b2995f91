import type { Project } from './project.ts';

export const pytest: Project = {
  files: {
    'pyproject.toml': `[project]
name = "shop"
version = "1.0.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
`,
    '.gitignore': '__pycache__/\n.pytest_cache/\n.coverage\nbuild/\n',
    'src/shop/__init__.py': '',
    'src/shop/cart.py': `from shop.label import format_cents


def total(items):
    return sum(price for price, qty in items)


def receipt(items):
    return f"Total: {format_cents(total(items))}"
`,
    'src/shop/label.py': `def format_cents(cents):
    return f"{cents / 100:.2f}"
`,
    'src/shop/old.py': `def old_total():
    return 0
`,
    'tests/test_cart.py': `from shop.cart import receipt, total


def test_multiplies_prices_by_quantities():
    assert total([(250, 2), (100, 3)]) == 800


def test_an_empty_cart_costs_nothing():
    assert total([]) == 0


def test_prints_a_receipt():
    assert receipt([(150, 2)]) == "Total: 3.00"
`,
    'tests/test_label.py': `from shop.label import format_cents


def test_formats_cents():
    assert format_cents(1234) == "12.34"


def test_pads_cents():
    assert format_cents(5) == "0.05"
`,
  },
  check: 'PYTHONPATH=src python3 -m pytest',
  fix: { replaces: [['src/shop/cart.py', 'sum(price for', 'sum(price * qty for']] },
  truth: {
    command: `PYTHONPATH=src python3 -c 'from shop.cart import total, receipt; print(int(total([(7, 6)])), receipt([(7, 6)]))'`,
    prints: '42 Total: 0.42',
  },
};
