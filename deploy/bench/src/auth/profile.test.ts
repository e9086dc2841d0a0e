import { expect, test } from 'vitest'
import { moduleOf, selfTime } from './profile.ts'

test.each([
  ['handle', 'file:///x/node_modules/router/index.js', 'router'],
  ['sign', 'file:///x/node_modules/@scope/name/lib/a.js', '@scope/name'],
  ['inner', 'file:///x/node_modules/a/node_modules/b/index.js', 'b'],
  ['load', 'file:///x/bff/src/session/session-store.ts', 'bff/session/session-store'],
  ['write', 'node:internal/streams/writable', 'node:streams'],
  ['end', 'node:_http_outgoing', 'node:_http_outgoing'],
  ['(garbage collector)', '', '(garbage collector)'],
  ['writev', '', '(native) writev'],
])('%s of %s belongs to %s', (name, url, expected) => expect(moduleOf(name, url)).toBe(expected))

test('self time is summed by module, without the idle time', () => {
  const frame = (id: number, functionName: string, url: string) => ({ id, callFrame: { functionName, url } })
  const profile = {
    nodes: [frame(1, '(idle)', ''), frame(2, 'a', 'node:net'), frame(3, 'b', '/bff/src/app.ts')],
    samples: [1, 2, 3, 3, 2],
    timeDeltas: [900, 10, 20, 40, 10],
  }
  expect(selfTime(profile)).toEqual(
    new Map([
      ['node:net', 0.25],
      ['bff/app', 0.75],
    ]),
  )
})
