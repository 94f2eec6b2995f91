import { it } from 'vitest';
import { simulate } from './simulation.ts';

it('keeps every invariant over 200 random lives of three loops', () => simulate(200));
