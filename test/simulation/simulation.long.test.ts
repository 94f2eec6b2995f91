import { it } from 'vitest';
import { simulate } from './simulation.ts';

it('keeps every invariant over 10,000 random lives of three loops', () => simulate(10_000));
