/** The files that messages of the sample have, by the media id that they name them by. */
const files = {
  'sample-kettle': 'kettle.png',
  'sample-tins': 'tins.png',
  'sample-broken-cup': 'broken-cup.png',
  'sample-smile': 'smile.webp',
  'sample-invoice': 'invoice.pdf',
  'sample-price-list': 'price-list.pdf',
} as const
export type SampleFile = keyof typeof files

/** Files with their paths on the disk, for a server; a page loads them from there. */
export const mediaFiles = (): { mediaId: string; file: URL }[] =>
  Object.entries(files).map(([mediaId, name]) => ({ mediaId, file: new URL(`media/${name}`, import.meta.url) }))
