import { expect, test } from 'vitest'
import { chatFileName } from './chat-export-input.ts'

test.each([
  ['Priya Sharma', 'WhatsApp chat with Priya Sharma.txt'],
  ['A/B: "C" <D>|E?*', 'WhatsApp chat with A B C D E.txt'],
  ['...', 'WhatsApp chat with contact.txt'],
  ['محمد الفارسي', 'WhatsApp chat with محمد الفارسي.txt'],
])('the file of %j is %j', (name, file) => expect(chatFileName(name, 'text')).toBe(file))

test('the longest name still makes a file name that every system takes', () => {
  expect(new TextEncoder().encode(chatFileName('प्रि'.repeat(60), 'html')).length).toBeLessThan(255)
})
