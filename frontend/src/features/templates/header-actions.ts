/** What is done about the header of each kind, as menus have it. */
export const headerActions = {
  image: 'Set Picture',
  video: 'Set Video',
  document: 'Set Document',
  location: 'Set Place',
} as const

/** What stands above the text, by its kind. */
export const headerNames = { image: 'Picture', video: 'Video', document: 'Document', location: 'Place' } as const
