// Texts that were written with marks for code, as plain prose.

/** Without backticks; a command stands in quotation marks. */
export const plainText = (text: string): string => text.replaceAll(/`([^`]*)`/g, '“$1”');
