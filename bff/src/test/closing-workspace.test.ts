import { createServer } from 'node:http'
import type { Role } from '@parley/contracts/account/permissions'
import type { Endpoint } from '@parley/contracts/core/endpoint'
import { endpointsOf } from '@parley/processes/endpoints'
import { processes } from '@parley/processes/processes'
import { expect, test } from 'vitest'
import { startProxy } from './start-proxy.ts'

const endpoints = processes.bff.calls
  .flatMap((name): readonly Endpoint[] => endpointsOf[name] ?? [])
  .filter(({ access }) => access === 'session' || access === 'session+bearer')

/** Calls each endpoint in a workspace that is being deleted. @returns operations that are let in. */
async function letIn(role: Role): Promise<string[]> {
  const service = createServer((_req, res) => res.end('{}'))
  const origin = await startProxy({ service, endpoints, context: { role, closing: true } })
  const open: string[] = []
  for (const { operation, method, path } of endpoints) {
    const address = `${origin}${path.replace(/:\w+/g, 'a'.repeat(24))}`
    const answer = await fetch(address, { method })
    const { code } = (await answer.json()) as { code?: string }
    if (code !== 'workspace_closing') open.push(operation)
    else expect(answer.status).toBe(409)
  }
  return open.sort()
}

/** Calls about the person alone: their profile, their other workspaces, what was told to them. */
const aboutOneself = [
  'invitations.accept',
  'invitations.decline',
  'invitations.mine',
  'notificationSettings.read',
  'notificationSettings.update',
  'notifications.list',
  'notifications.markRead',
  'profile.sync',
  'profile.update',
  'profile.user',
  'views.create',
  'views.list',
  'views.remove',
  'views.update',
  'workspace.create',
  'workspace.list',
]

test.each<Role>(['admin', 'agent', 'viewer'])(
  'an %s reaches nothing of a workspace that is being deleted',
  async (role) => {
    expect(await letIn(role)).toEqual(aboutOneself)
  },
)

test('an owner reads it, restores it or has it erased, and changes nothing else', async () => {
  const reads = endpoints.flatMap(({ operation, method }) => (method === 'GET' ? operation : []))
  const changes = ['workspace.eraseNow', 'workspace.restore']
  expect(await letIn('owner')).toEqual([...new Set([...aboutOneself, ...reads, ...changes])].sort())
})
