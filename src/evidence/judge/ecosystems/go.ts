import type { Ecosystem } from '../ecosystem.ts';

export const GO: Ecosystem = {
  name: 'go',
  files: [
    { glob: '**/*_test.go', role: 'test' },
    { glob: '**/testdata/**', role: 'fixture' },
    // With it go builds from `vendor/` instead of the modules that were downloaded.
    { glob: '**/vendor/modules.txt', role: 'shadow' },
    {
      glob: '**/{go.work,.golangci.yml,.golangci.yaml,.golangci.toml,.golangci.json,.gotestsum.yml,.go-version}',
      role: 'config',
    },
    { glob: '**/{magefile.go,magefiles/**}', role: 'config', when: ['mage'] },
  ],
  // A replaced module takes the place of an assertion library.
  parts: [{ glob: '**/go.mod', format: 'directives', parts: ['replace', 'toolchain', 'tool', 'godebug'] }],
  home: ['.config/go/env', 'go/bin/**', '.golangci.yml', '.golangci.yaml'],
  environment: [
    'GOFLAGS',
    'GOPATH',
    'GOROOT',
    'GOBIN',
    'GOOS',
    'GOARCH',
    'GOEXPERIMENT',
    'GODEBUG',
    'GOENV',
    'GOPROXY',
    'GOWORK',
    'GOTOOLCHAIN',
    'GOTEST*',
    'GOMAXPROCS',
    'GOTMPDIR',
    'GOCACHE',
    'GOMODCACHE',
    'GO1*',
    'GO111MODULE',
    'GOTOOLDIR',
    'CGO_*',
    'GINKGO_*',
  ],
  dependencies: [{ folder: 'vendor', marker: 'modules.txt' }],
  generated: ['**/{coverage,cover}.{out,txt,html}', '**/*.coverprofile', '**/*.prof'],
  interpreters: [{ name: 'go', commands: ['run'], valueOptions: ['-tags', '-mod', '-modfile'] }],
  runners: ['go test', 'ginkgo', 'gotestsum'],
  wrappers: [],
};
