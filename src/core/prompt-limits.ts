/** What several parts of a prompt show of one name, and of one path. `PROMPT_EXTRA_BYTES_MAX` bounds them together. */
export const NAME_BYTES_MAX = 120;
export const PATH_BYTES_MAX = 300;
