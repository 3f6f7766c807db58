// Texts with code marks as plain prose.

/** Replaces backticks with quotation marks. */
export const plainText = (text: string): string => text.replaceAll(/`([^`]*)`/g, '“$1”');
