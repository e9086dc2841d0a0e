import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { newSessionSecret } from '../session/session-cipher.ts'
import { createSessionCookie } from './cookies.ts'

const local = createSessionCookie('http://localhost:3000', 60)
const secure = createSessionCookie('https://app.example.com', 60)
const secret = newSessionSecret()
const request = (cookie: string) => Object.assign(new IncomingMessage(new Socket()), { headers: { cookie } })

test('on https the cookie is __Host-, Secure, HttpOnly and Strict', () => {
  const res = new ServerResponse(request(''))
  secure.set(res, secret)
  expect(res.getHeader('set-cookie')).toBe(
    `__Host-sid=${secret}; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure`,
  )
})

test('on plain http its name carries the port', () => {
  expect(local.name).toBe('sid-3000')
  expect(local.read(request(`theme=dark; sid-3000=${secret}; x=y`))).toBe(secret)
  expect(local.read(request(`sid-4000=${secret}`))).toBeUndefined()
})

test.each([
  ['', 'none'],
  ['sid-3000=', 'empty'],
  ['sid-3000=short', 'too short'],
  [`sid-3000=${secret}; sid-3000=${newSessionSecret()}`, 'two different ones'],
  [`sid-3000=${'x'.repeat(7000)}`, 'huge'],
  ['sid-3000=%00%ff; ;;==', 'garbage'],
])('%j is no session (%s)', (cookie) => {
  expect(local.read(request(cookie))).toBeUndefined()
})
