import type { DialectExtras } from '../../engine/dialect-extras.ts';
import { prepareFolder } from './tracker-path.ts';

export const athenaExtras: DialectExtras = { prepare: prepareFolder };
