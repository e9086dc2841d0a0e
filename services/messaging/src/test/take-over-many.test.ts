import { expect, test } from 'vitest'
import { joinMessaging } from './start-messaging.ts'
import { interleave } from './take-over.ts'

test('of a thousand messages of bots none leaves that was due after a person took part', async () => {
  const parley = await joinMessaging()
  const tally = await interleave(parley, { ann: parley.signIn(), bob: parley.signIn() }, 1000).finally(parley.stop)
  expect(tally.late).toBe(0)
  expect(tally.heldOff).toBeGreaterThan(100)
}, 1_800_000)
