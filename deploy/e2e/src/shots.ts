import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run shots`: the journeys that look at screens, in both sizes and themes, with a picture of each in place of axe, and one page that
 * shows them all. `npm run shots -- contacts.spec.ts` takes those of one journey.
 */
const folder = fileURLToPath(new URL('../../../.parley/shots', import.meta.url))
const journeys = fileURLToPath(new URL('../journeys/', import.meta.url))
/** Journeys that sign in at the provider or fill in a profile pass screens that no other journey inspects. */
const looking = () =>
  globSync('*.spec.ts', { cwd: journeys }).filter((file) =>
    /inspect|passProvider|expectGoogle|fillProfile/.test(readFileSync(join(journeys, file), 'utf8')),
  )

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const asked = process.argv.slice(2)
const command = ['playwright', 'test', '--config', join(journeys, '..'), ...(asked.length > 0 ? asked : looking())]
const { status } = spawnSync('npx', command, { stdio: 'inherit', env: { ...process.env, SHOTS_FOLDER: folder } })
const files = readdirSync(folder).sort()
writeFileSync(join(folder, 'index.html'), gallery(files))
console.log(`${files.length} pictures; look at ${join(folder, 'index.html')}`)
process.exitCode = status ?? 1

/** A page with one row a screen and one picture a variant, each a link to itself at full size. */
function gallery(pictures: readonly string[]): string {
  const rows = [...Map.groupBy(pictures, (file) => file.replace(/-(desktop|phone)-(dark|light)\.png$/, ''))].map(
    ([screen, variants]) =>
      `<h2>${screen || 'landing page'}</h2><p>${variants.map((file) => `<a href="${file}"><img src="${file}" height="360" alt="${file}" loading="lazy"></a>`).join(' ')}</p>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Parley, screen by screen</title>
<style>body { font: 14px system-ui; background: #888 } img { max-width: 640px; object-fit: cover; object-position: top }</style>
${rows.join('\n')}</html>
`
}
