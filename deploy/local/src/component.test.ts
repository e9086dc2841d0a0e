import { expect, test } from 'vitest'
import { componentNames, stopOrder } from './component.ts'

test('every component is stopped, the stores last', () => {
  expect(stopOrder.flat().toSorted()).toEqual(componentNames.toSorted())
  expect(stopOrder.at(-1)).toEqual(['redis', 'mongodb'])
})
