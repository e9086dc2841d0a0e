import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { askKeycloak, statusOfClient } from './keycloak-admin.ts'
import { createPerson } from './person.ts'
import { appUrl, compose, secretsOfStack, until, up } from './stack.ts'

beforeAll(up)

/** A step as deploy/docs/operations/key-rotation.md writes it. */
const step = (...words: string[]) =>
  compose('run', '--rm', '-T', '--entrypoint', 'node /parley/rotate.mts', 'init', ...words)

async function restartBff(): Promise<void> {
  await compose('restart', 'bff')
  await until('the app ready', async () => (await fetch(`${appUrl}/readyz`)).ok)
}

test('keys and a client secret are replaced on the running stack, and nobody is signed out', async () => {
  const person = await createPerson()
  const staysSignedIn = async () => {
    await expect.poll(person.user, { timeout: 60_000, interval: 500 }).toMatchObject({ status: 200 })
    await expect.poll(async () => (await person.signInAnew()).status, { timeout: 60_000, interval: 500 }).toBe(200)
  }
  const before = await secretsOfStack()

  for (const what of ['session', 'bff-tokens', 'password']) await step(what, 'add')
  await restartBff()
  await staysSignedIn()

  const [old = '', fresh = ''] = ((await secretsOfStack())['bffPassword'] ?? '').split(' ')
  await changeAtKeycloak('bff-password', fresh)
  await staysSignedIn()

  for (const what of ['session', 'bff-tokens']) await step(what, 'switch')
  await restartBff()
  await staysSignedIn()

  for (const what of ['bff-tokens', 'password']) await step(what, 'drop')
  await restartBff()
  await staysSignedIn()

  const after = await secretsOfStack()
  expect(after).toMatchObject({ bffPassword: fresh, mongoRoot: before['mongoRoot'] })
  expect(after['bffTokenKeys']).not.toBe(before['bffTokenKeys'])
  // The old one still opens what is not in use.
  expect(after['sessionKeys']?.split(',').slice(1)).toEqual([before['sessionKeys']])
  expect([await statusOfClient('bff-password', old), await statusOfClient('bff-password', fresh)]).toEqual([401, 400])
})

test('a step that does not follow is refused with a sentence', async () => {
  await expect(step('identity', 'drop')).rejects.toThrow('There is only one: add comes first.')
})

async function changeAtKeycloak(clientId: string, secret: string): Promise<void> {
  const clients = z
    .array(z.looseObject({ id: z.string() }))
    .parse(await askKeycloak('GET', `/clients?clientId=${clientId}`))
  const [client] = clients
  if (!client) throw new Error(`Keycloak has no client ${clientId}`)
  await askKeycloak('PUT', `/clients/${client.id}`, { ...client, secret })
}
