const maxTitle = 120
export const maxBody = 300

/** A name and what happened to it; a name that leaves no room for that is cut. */
export function titled(name: string, what: string): string {
  const room = maxTitle - what.length - 1
  return `${cut(name, room)} ${what}`
}

/** A text that is no longer than that. */
export const cut = (text: string, length: number): string =>
  [...text].length > length ? `${[...text].slice(0, length - 1).join('')}…` : text
