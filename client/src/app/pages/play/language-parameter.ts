/** Part of the address of a table, and of an invitation to it, that names the language of the cards. */
export const LANGUAGE_PARAMETER = 'lang';
