/** One picture of a screen. */
export interface Shot {
  readonly screen: string
  /** Theme and size. */
  readonly variant: string
  /** Name of the file, beside the page. */
  readonly file: string
}

/** A page with one row a screen and one picture a variant, each a link to itself at full size. */
export function gallery(shots: readonly Shot[]): string {
  const rows = [...Map.groupBy(shots, ({ screen }) => screen)].map(([screen, variants]) => {
    const pictures = variants.map(
      ({ file, variant }) =>
        `<a href="${file}"><img src="${file}" height="360" alt="${screen}, ${variant}" title="${variant}" loading="lazy"></a>`,
    )
    return `<h2>${screen}</h2><p>${pictures.join(' ')}</p>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley, screen by screen</title>
<style>body { font: 14px system-ui; background: #888 } img { max-width: 640px; object-fit: cover; object-position: top }</style>
${rows.join('\n')}</html>
`
}
