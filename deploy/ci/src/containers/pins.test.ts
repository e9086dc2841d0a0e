import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../paths.ts'
import { nodeVersion } from './our-images.ts'

const docker = join(root, 'deploy/docker')
const sources = [
  join(root, 'docker-compose.yml'),
  ...readdirSync(docker)
    .filter((name) => name.endsWith('.Dockerfile'))
    .map((name) => join(docker, name)),
]
/** Returns every image that a file takes where no other is named. */
const defaults = (variable: string) =>
  sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(new RegExp(`${variable}(?::-|=)([\\w./-]+:[\\w.-]+)`, 'g'))].map(
      ([, image]) => image,
    ),
  )

test('compose file and Dockerfiles take the version of Node that the repository pins', () => {
  const images = defaults('\\bNODE_IMAGE')
  expect(images.length).toBeGreaterThan(3)
  expect(new Set(images)).toEqual(new Set([`node:${nodeVersion}-bookworm-slim`]))
})

test('compose file and Dockerfile take one version of Keycloak', () => {
  const images = defaults('(?<!PARLEY_)KEYCLOAK_IMAGE')
  expect(images).toHaveLength(2)
  expect(new Set(images).size).toBe(1)
})

test('the k6 that is compiled has the version that the compose file takes', () => {
  const programs = readFileSync(join(root, 'deploy/ci/src/tools/programs.ts'), 'utf8')
  const version = /go\.k6\.io\/k6@v([\d.]+)/.exec(programs)?.[1]
  expect(defaults('K6_IMAGE')).toEqual([`grafana/k6:${version}`])
})
