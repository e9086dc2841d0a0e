import { expect, test } from 'vitest'
import { partNames, stopOrder } from './part.ts'

test('every part is stopped, the stores last', () => {
  expect(stopOrder.flat().toSorted()).toEqual(partNames.toSorted())
  expect(stopOrder.at(-1)).toEqual(['redis', 'mongodb'])
})
