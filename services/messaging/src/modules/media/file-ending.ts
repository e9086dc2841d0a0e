/** Returns the file name ending of a media type, for those that people send most; others are known by their content. */
export const fileEnding = (type: string): string => {
  if (type === 'image/svg+xml') return '.svg'
  const ending = /^[a-z]+\/(jpeg|png|webp|gif|mp4|pdf|ogg|mpeg|aac|amr)$/.exec(type)?.[1]
  return ending === undefined ? '' : `.${ending}`
}
