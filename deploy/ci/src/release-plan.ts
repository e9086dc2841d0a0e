import { parse } from 'yaml'
import { z } from 'zod'

const tagPattern = /^v(\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?)$/
const registryPattern = /^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/

interface Image {
  readonly name: string
  readonly dockerfile: string
  readonly service?: string
}

interface Release {
  readonly tag: string
  /** Host and path under which the images of the chart are found: `registry.example.com/team`. */
  readonly registry: string
  readonly isPushed: boolean
  /** Path of the packaged chart. */
  readonly folder: string
  readonly images: readonly Image[]
  /** Texts of the files that name the version. */
  readonly files: { readonly package: string; readonly chart: string; readonly changelog: string }
}

/**
 * Plans a release: images first, so that a chart which is there finds them.
 * @returns its commands in their order, and the changes that the changelog has for it.
 * @throws where a file names another version, or the changelog has nothing on it.
 */
export function planRelease({ tag, registry, isPushed, folder, images, files }: Release) {
  const [, version = ''] = tagPattern.exec(tag) ?? []
  if (!version) throw new Error(`The tag ${tag} is none of a version, such as v1.2.3.`)
  if (!registryPattern.test(registry))
    throw new Error('--registry is missing: where images go, such as registry.example.com.')
  const chart = z.object({ name: z.string(), version: z.string(), appVersion: z.string() }).parse(parse(files.chart))
  const named = {
    'package.json': z.object({ version: z.string() }).parse(JSON.parse(files.package)).version,
    'version of helm/parley/Chart.yaml': chart.version,
    'appVersion of helm/parley/Chart.yaml': chart.appVersion,
  }
  for (const [file, found] of Object.entries(named))
    if (found !== version) throw new Error(`The tag is ${tag}, and ${file} is ${found}: set it before the tag.`)
  const notes = notesOf(files.changelog, version)
  if (!notes) throw new Error(`CHANGELOG.md has no section [${version}]: rename [Unreleased], and date it.`)

  const reference = ({ name }: Image) => `${registry}/${name}:${version}`
  const build = (image: Image) => [
    ...['docker', 'build', '--file', `deploy/docker/${image.dockerfile}`],
    ...(image.service ? ['--build-arg', `SERVICE=${image.service}`] : []),
    ...['--label', `org.opencontainers.image.version=${version}`, '--tag', reference(image), '.'],
  ]
  const commands = [
    ...images.map(build),
    ['helm', 'package', 'helm/parley', '--destination', folder],
    ...(isPushed ? images.map((image) => ['docker', 'push', reference(image)]) : []),
    ...(isPushed ? [['helm', 'push', `${folder}/${chart.name}-${version}.tgz`, `oci://${registry}/charts`]] : []),
  ]
  return { version, notes, commands }
}

/** Returns the text of a version's section, without its heading. */
function notesOf(changelog: string, version: string): string | undefined {
  const section = changelog.split(/^## /m).find((part) => part.startsWith(`[${version}] - `))
  return section?.split('\n').slice(1).join('\n').trim() || undefined
}
