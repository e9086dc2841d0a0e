import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ourImages } from './containers/our-images.ts'
import { root } from './paths.ts'
import { planRelease } from './release-plan.ts'

const files = {
  package: '{"version":"1.2.3"}',
  chart: 'name: parley\nversion: 1.2.3\nappVersion: 1.2.3\n',
  changelog:
    '# Changelog\n\n## [Unreleased]\n\n### Added\n- Later.\n\n## [1.2.3] - 2026-01-01\n\n### Fixed\n- This.\n\n## [1.2.2] - 2025-01-01\n- Old.\n',
}
const release = (changes: Partial<Parameters<typeof planRelease>[0]> = {}) =>
  planRelease({
    tag: 'v1.2.3',
    registry: 'registry.example.com/team',
    isPushed: true,
    folder: 'out',
    images: ourImages,
    files,
    ...changes,
  })
const lines = (plan: ReturnType<typeof release>) => plan.commands.map((words) => words.join(' '))

test('every image that the chart pulls is built and pushed with the version, and the chart comes last', () => {
  const values = z
    .record(z.string(), z.unknown())
    .parse(parse(readFileSync(join(root, 'helm/parley/values.yaml'), 'utf8')))
  const repositories = Object.values(values).flatMap((value) => {
    const { data } = z.object({ image: z.object({ repository: z.string() }) }).safeParse(value)
    return data ? [data.image.repository] : []
  })
  const plan = release()
  expect(repositories.length).toBeGreaterThan(5)
  for (const repository of repositories) {
    const image = `registry.example.com/team/${repository}:1.2.3`
    expect(lines(plan)).toContain(`docker push ${image}`)
    expect(
      lines(plan).filter((line) => line.startsWith('docker build') && line.endsWith(`--tag ${image} .`)),
    ).toHaveLength(1)
  }
  expect(lines(plan).at(-1)).toBe('helm push out/parley-1.2.3.tgz oci://registry.example.com/team/charts')
  expect(plan.notes).toBe('### Fixed\n- This.')
})

test('without being asked nothing is pushed', () => {
  expect(lines(release({ isPushed: false })).filter((line) => line.includes('push'))).toEqual([])
})

test.each([
  ['a tag of no version', { tag: '1.2' }, 'is none of a version'],
  ['another version of the packages', { files: { ...files, package: '{"version":"1.2.2"}' } }, 'package.json is 1.2.2'],
  [
    'another version of the chart',
    { files: { ...files, chart: files.chart.replace('appVersion: 1.2.3', 'appVersion: 1.2.2') } },
    'appVersion of helm/parley/Chart.yaml is 1.2.2',
  ],
  ['no word on what changed', { files: { ...files, changelog: '## [Unreleased]\n- This.' } }, 'no section [1.2.3]'],
  ['no registry', { registry: '' }, '--registry is missing'],
] as const)('%s is refused', (_of, changes, sentence) => {
  expect(() => release(changes)).toThrow(sentence)
})

test('workflows run files that there are', () => {
  const workflows = globSync('.github/workflows/*.yml', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  expect(workflows.length).toBeGreaterThan(1)
  for (const workflow of workflows) {
    expect(parse(workflow)).toMatchObject({ jobs: expect.any(Object) })
    for (const [, file = ''] of workflow.matchAll(/node (deploy\/\S+\.ts)/g)) readFileSync(join(root, file))
  }
})
