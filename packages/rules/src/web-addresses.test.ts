import { expect, test } from 'vitest'
import { partsOf } from './web-addresses.ts'

test('web addresses become links, without the punctuation behind them', () => {
  expect(partsOf('Pay at https://chaiandco.example/pay/CC-1. Thanks')).toEqual([
    { at: 0, words: 'Pay at ' },
    { at: 7, words: 'https://chaiandco.example/pay/CC-1', href: 'https://chaiandco.example/pay/CC-1' },
    { at: 41, words: '. Thanks' },
  ])
  expect(partsOf('javascript:alert(1) ftp://x.example')).toHaveLength(1)
})
