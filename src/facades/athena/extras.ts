import type { DialectExtras } from '../../engine/dialect-extras.ts';
import { prepareFolder } from './tracker-place.ts';

export const athenaExtras: DialectExtras = { prepare: prepareFolder };
