import { type deployedNames, describeProcess } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import type { Component } from '../component.ts'
import { joinProcesses } from './one-process.ts'

const part = (name: (typeof deployedNames)[number], env: Record<string, string>, isHealthy = true): Component => ({
  name,
  label: describeProcess(name).label,
  kind: 'Parley',
  address: '',
  dataAt: '',
  needs: name === 'profile' ? ['mongodb'] : ['redis'],
  env,
  local: {
    ports: [name === 'bff' ? 'app' : name],
    startTimeoutMs: 1000,
    isHealthy: async () => isHealthy,
    prepare: async () => ({ command: { file: 'node', args: [name], cwd: '/parley', env } }),
  },
})
const redis: Component = { name: 'redis', label: 'Redis', kind: 'real', address: '', dataAt: '', needs: [], env: {} }

test('the program of the app runs all of them, each with its own variables', async () => {
  const parts = [part('bff', { HOST: 'here', PORT: '1' }), part('profile', { HOST: 'here', PORT: '2', MAILS: 'on' })]
  const [backing, bff, profile] = joinProcesses([redis, ...parts])
  expect(backing).toBe(redis)
  expect(bff).toMatchObject({ needs: ['mongodb', 'redis'], local: { ports: ['app', 'profile'] } })
  expect(profile).toMatchObject({ within: 'bff' })
  expect(profile?.local).toBeUndefined()
  const prepared = await bff?.local?.prepare()
  expect(prepared?.command).toMatchObject({ file: 'node', cwd: '/parley' })
  const { HOST, BFF__PORT, PROFILE__PORT, PROFILE__MAILS, PORT } = prepared?.command.env ?? {}
  expect({ HOST, BFF__PORT, PROFILE__PORT, PROFILE__MAILS, PORT }).toEqual({
    HOST: 'here',
    BFF__PORT: '1',
    PROFILE__PORT: '2',
    PROFILE__MAILS: 'on',
    PORT: undefined,
  })
})

test('it is healthy once every process is', async () => {
  const parts = [part('bff', {}), part('profile', {}, false)]
  expect(await joinProcesses(parts)[0]?.local?.isHealthy()).toBe(false)
  expect(await joinProcesses(parts.slice(0, 1))[0]?.local?.isHealthy()).toBe(true)
})
