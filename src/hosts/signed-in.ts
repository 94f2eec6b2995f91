import type { Fields } from './fields.ts';
import { fieldsOf } from './fields.ts';

/** For Gemini CLI and its descendants: the same settings with another way to the model, and without what would keep it busy. */
export function signedIn(selectedType: string): (settings: Fields) => Fields {
  return (settings) => {
    const part = (name: string): Fields => fieldsOf(settings[name]) ?? {};
    return {
      ...settings,
      security: { ...part('security'), auth: { selectedType } },
      general: { ...part('general'), enableAutoUpdate: false },
      privacy: { ...part('privacy'), usageStatisticsEnabled: false },
      memory: { ...part('memory'), enableManagedAutoMemory: false, enableManagedAutoDream: false },
    };
  };
}
