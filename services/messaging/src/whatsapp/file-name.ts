/**
 * A file's name without control characters, and signs that turn the direction of text to hide how it ends. Of a path the last part
 * is the name; a slash inside of a name (`Invoice 7/2026.pdf`) becomes a dash, so that its words are kept.
 */
export function plainFileName(name: string): string {
  const visible = name.replaceAll(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  const isPath = /^(?:[/\\~]|\.{1,2}[/\\]|[a-z]:[/\\]|file:)/i.test(visible)
  const baseName = isPath
    ? (visible.split(/[/\\]/).findLast((part) => part !== '') ?? '')
    : visible.replaceAll(/[/\\]/g, '-')
  return /^[.\s-]*$/.test(baseName) ? 'File' : baseName.trim()
}
