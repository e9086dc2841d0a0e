import { expect, test } from 'vitest'
import { fillCall, takeValues } from './fill-call.ts'

const said = (lastAnswer: string) => ({
  person: { name: 'Asha', tags: [], attributes: { city: 'Pune' } },
  session: {},
  lastAnswer,
})
const call = { kind: 'http_call', connectionId: 'shop', method: 'POST', path: '/' } as const
const filled = (settings: object, answer: string) => {
  const request = fillCall({ ...call, ...settings }, said(answer))
  if (typeof request === 'string') throw new Error(request)
  return request
}

test.each([
  ['/{{last_answer}}', 'a/b?c=1&d', '/a%2Fb%3Fc%3D1%26d'],
  ['/x?q={{last_answer}}&r=1', 'y&r=2#z', '/x?q=y%26r%3D2%23z&r=1'],
  ['/x/../y/{{city}}', '', '/x/../y/Pune'],
  ['/{{last_answer}}', '@evil.example/', '/%40evil.example%2F'],
  ['/{{last_answer}}', '//evil.example', '/%2F%2Fevil.example'],
  ['/{{last_answer}}', '\\..\\', '/%5C..%5C'],
  ['/{{last_answer}}', '%2e%2e', '/%252e%252e'],
  ['/{{last_answer}}', 'a\r\nHost: evil', '/a%0D%0AHost%3A%20evil'],
  ['/{{city}}{{last_answer}}', '..', '/Pune..'],
])('in %s the value %j stays a part of the path', (path, answer, expected) => {
  const { path: found } = filled({ path }, answer)
  expect(found).toBe(expected)
  expect(new URL(`https://shop.example${found}`).host).toBe('shop.example')
})

test.each(['.', '..'])('a segment that becomes %s is no call', (answer) => {
  expect(fillCall({ ...call, path: '/orders/{{last_answer}}/x' }, said(answer))).toBe('address_refused')
})

test('a value is one text of the body, whatever it holds', () => {
  const body = '{"q": "{{last_answer}}", "list": ["{{city}}", 1, null], "__proto__": "{{city}}"}'
  const found = filled({ body }, '"},"admin":true,{"x":"\n').body ?? ''
  expect(JSON.parse(found)).toEqual(
    JSON.parse('{"q": "\\"},\\"admin\\":true,{\\"x\\":\\"\\n", "list": ["Pune", 1, null], "__proto__": "Pune"}'),
  )
  expect(filled({ method: 'GET', body }, '').body).toBeUndefined()
  expect(fillCall({ ...call, body: '{"n": {{last_answer}}}' }, said('1'))).toBe('body_refused')
})

test('a value begins no other header', () => {
  const headers = [{ name: 'X-Order', value: '{{last_answer}}' }]
  expect(filled({ headers }, 'a\r\nX-Admin: 1').headers).toEqual([{ name: 'X-Order', value: 'a X-Admin: 1' }])
  expect(fillCall({ ...call, headers }, said('₹ 5'))).toBe('header_refused')
})

test('values of an answer are taken by pointer, and nothing that objects inherit', () => {
  const answer = JSON.stringify({ a: { 'b/c': [{ d: true }, 2.5] }, '': 'empty', 'm~n': 'x', none: null, deep: {} })
  const pointers = ['/a/b~1c/0/d', '/a/b~1c/1', '/', '/m~0n', '/none', '/deep', '/a/b~1c/length', '/a/b~1c/-', '/zz']
  expect(takeValues([...pointers, '/__proto__/toString', '/constructor/name', '/deep/toString/name'], answer)).toEqual({
    '/a/b~1c/0/d': 'true',
    '/a/b~1c/1': '2.5',
    '/': 'empty',
    '/m~0n': 'x',
  })
  expect(takeValues(['/a'], JSON.stringify({ a: 'x'.repeat(5000) }))).toEqual({ '/a': 'x'.repeat(1000) })
  expect(takeValues(['/length'], '"text"')).toEqual({})
  expect(takeValues(['/a'], '<html>')).toBeUndefined()
})
