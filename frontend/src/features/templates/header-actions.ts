/** Menu labels of the header actions, by kind. */
export const headerActions = {
  image: 'Set Picture',
  video: 'Set Video',
  document: 'Set Document',
  location: 'Set Place',
  product: 'Set Product',
} as const

/** Header names, by kind. */
export const headerNames = {
  image: 'Picture',
  video: 'Video',
  document: 'Document',
  location: 'Place',
  product: 'Product',
} as const
