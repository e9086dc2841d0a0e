import { waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshPage } from '../../testing/fresh-page.ts'
import { claimsOf, errorOf, sessionOf, stubServer } from '../../testing/stub-server.ts'

beforeEach(() => {
  vi.resetModules()
  localStorage.clear()
})

/** A page whose token is refused with this error by whatever is called. */
async function refusedPage(code: string) {
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }) })
  const page = await freshPage()
  await page.adoptSession()
  const { ApiError } = await import('../api.ts')
  const refused = new ApiError(code === 'session_changed' ? 409 : 401, '', JSON.stringify({ code, message: 'No.' }))
  return { page, server, refused }
}

test('a refused token is replaced and the call made once more, and only once', async () => {
  const { page, server, refused } = await refusedPage('token_rejected')
  const renewed = sessionOf(claimsOf({ name: 'Renewed' }))
  server.answer('GET /auth/session', () => ({ json: renewed }))
  const act = vi.fn(async (bearer: string) => bearer).mockRejectedValueOnce(refused)
  expect(await page.withIdToken(act)).toBe(renewed.id_token)
  expect(act).toHaveBeenCalledTimes(2)
  act.mockRejectedValueOnce(refused).mockRejectedValueOnce(refused)
  await expect(page.withIdToken(act)).rejects.toBe(refused)
  expect(act).toHaveBeenCalledTimes(4)
})

test('a refused token stays an error where nobody can say who is signed in, or nobody is', async () => {
  for (const answer of [{ status: 503 }, { json: { authenticated: false } }]) {
    const { page, server, refused } = await refusedPage('token_rejected')
    server.answer('GET /auth/session', () => answer)
    const act = vi.fn().mockRejectedValue(refused)
    await expect(page.withIdToken(act)).rejects.toBe(refused)
    expect(act).toHaveBeenCalledOnce()
  }
})

test('a call that meets another person’s session is not repeated: the page is loaded anew', async () => {
  const { page, server, refused } = await refusedPage('session_changed')
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf({ sub: 'ben' })) }))
  const act = vi.fn().mockRejectedValue(refused)
  void page.withIdToken(act)
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(act).toHaveBeenCalledOnce()
  reload.mockRestore()
})

test('every call names the person whom the page takes to be signed in, and none once nobody is', async () => {
  const server = stubServer({
    'GET /auth/session': () => ({ json: sessionOf() }),
    'GET /auth/sessions': () => ({ json: { sessions: [] } }),
    'GET /api/auth/user': () => ({ json: {} }),
  })
  const page = await freshPage()
  const { call } = await import('../api.ts')
  const { queryClient } = await import('../query-client.ts')
  const { authApi } = await import('@parley/contracts/account/auth-endpoints')
  const named = async () => {
    await call(authApi.sessions)
    await queryClient.fetchQuery({ queryKey: ['/api/auth/user'], staleTime: 0 })
    return server.calls.slice(-2).map(({ headers }) => headers.get('x-auth-subject'))
  }
  expect(await named()).toEqual([null, null])
  await page.adoptSession()
  expect(await named()).toEqual(['asha', 'asha'])
  await page.endSessionLocally()
  expect(await named()).toEqual([null, null])
})

test('a query that meets another person’s session loads the page anew', async () => {
  const changed = { status: 409, json: errorOf('session_changed', 'Another account has signed in.') }
  const server = stubServer({ 'GET /auth/session': () => ({ json: sessionOf() }), 'GET /api/auth/user': () => changed })
  const page = await freshPage()
  const { queryClient } = await import('../query-client.ts')
  await page.adoptSession()
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  server.answer('GET /auth/session', () => ({ json: sessionOf(claimsOf({ sub: 'ben' })) }))
  await expect(queryClient.fetchQuery({ queryKey: ['/api/auth/user'] })).rejects.toThrow('409')
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  reload.mockRestore()
})
