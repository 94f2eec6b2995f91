import type { Fields } from './fields.ts';
import { fieldsOf } from './fields.ts';

/** For Gemini CLI and its descendants: the settings with another way to reach the model, and without anything that would keep the client busy. */
export function withSignIn(selectedType: string): (settings: Fields) => Fields {
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
