/** One picture of a screen. */
export interface Shot {
  readonly screen: string
  readonly variant: string
  /** Name of the file, beside the sheet. */
  readonly file: string
  /** The window's width divided by its height; a taller picture is cut off below on the sheet. */
  readonly aspect: number
}

const thumbnailHeightPx = 360

/** A page with one row a screen and one column a variant, every picture a link to itself at full size. */
export function contactSheet(shots: readonly Shot[]): string {
  const screens = [...new Set(shots.map(({ screen }) => screen))]
  const variants = [...new Set(shots.map(({ variant }) => variant))]
  const cell = (screen: string, variant: string) => {
    const shot = shots.find((one) => one.screen === screen && one.variant === variant)
    if (!shot) return '<td></td>'
    const width = Math.round(thumbnailHeightPx * shot.aspect)
    const image = `<img src="${shot.file}" width="${width}" height="${thumbnailHeightPx}" alt="${screen}, ${variant}" loading="lazy">`
    return `<td><a href="${shot.file}">${image}</a></td>`
  }
  const rows = screens.map(
    (screen) => `<tr><th scope="row">${screen}</th>${variants.map((variant) => cell(screen, variant)).join('')}</tr>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Parley, screen by screen</title>
<style>
body { margin: 24px; font: 14px/1.5 system-ui, sans-serif; background: #888; }
table { border-spacing: 12px; }
th { text-align: left; vertical-align: top; }
thead th { position: sticky; top: 0; padding: 8px; background: #888; }
td { vertical-align: top; }
img { display: block; object-fit: cover; object-position: top; border-radius: 6px; }
th[scope=row] { width: 8rem; }
</style>
<h1>Parley, screen by screen</h1>
<table>
<thead><tr><th>Screen</th>${variants.map((variant) => `<th scope="col">${variant}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>
</html>
`
}
