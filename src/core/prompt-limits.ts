/** The maxima for one name and one path, shared by several parts of a prompt. `PROMPT_EXTRA_BYTES_MAX` bounds the total. */
export const NAME_BYTES_MAX = 120;
export const PATH_BYTES_MAX = 300;
