import { DIALECT_CASES } from '../support/dialect-hooks.ts';
import { dialectLife } from './dialect-life.ts';

dialectLife(DIALECT_CASES);
