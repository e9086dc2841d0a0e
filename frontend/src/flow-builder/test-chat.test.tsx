import { draftFlowSchema } from '@parley/contracts/automation/flow'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { TestChat } from './test-chat.tsx'
import { startRun } from './test-run.ts'

const node = (id: string, type: string, settings: object) => ({
  id,
  type,
  label: '',
  description: '',
  position: { x: 0, y: 0 },
  settings,
})
const flow = draftFlowSchema.parse({
  format: 2,
  nodes: [
    node('start', 'trigger', { kind: 'any_message' }),
    node('ask', 'action', { kind: 'ask', text: 'What is it, {{first_name}}?', attribute: 'item' }),
  ],
  edges: [{ id: 'a', source: 'start', branch: 'next', target: 'ask' }],
})

const onKeep = vi.fn(async (_name: string, _script: object) => true)

function Panel({ flow: drawn = flow }: { flow?: typeof flow }) {
  const [run, setRun] = useState(() => startRun('bot', Date.parse('2026-03-09T06:30:00.000Z')))
  return (
    <TestChat
      what="bot"
      flow={drawn}
      run={run}
      timeZone="Asia/Kolkata"
      onChange={setRun}
      onRestart={() => undefined}
      onKeep={onKeep}
    />
  )
}

const log = () => within(screen.getByRole('log'))
const write = (text: string) => {
  fireEvent.change(screen.getByLabelText('Message as a customer'), { target: { value: text } })
  fireEvent.click(screen.getByRole('button', { name: 'Send as a customer' }))
}

test('a customer of another name writes, sends a picture, and several messages in a row', async () => {
  render(<Panel />)
  fireEvent.click(screen.getByRole('button', { name: 'Customer' }))
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Meera Das' } })
  write('hi')
  expect(log().getByText('What is it, Meera?')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'More to try' }))
  fireEvent.click(await screen.findByText('Send a picture'))
  expect(log().getByText('[image]')).toBeTruthy()
  expect(log().getAllByText('What is it, Meera?')).toHaveLength(2)
  write('a cup\nand a pot')
  expect(log().getByText('a cup')).toBeTruthy()
  expect(log().getByText(/item is now/).textContent).toBe('item is now “a cup\nand a pot”')
})

test('a refused message is shown as such, and the conversation goes to people', async () => {
  render(<Panel />)
  fireEvent.click(screen.getByRole('button', { name: 'More to try' }))
  fireEvent.click(await screen.findByText('Refuse the next message'))
  write('hi')
  expect(log().getByText('Refused (window_closed): What is it, Asha?')).toBeTruthy()
  expect(log().getByText('The conversation waits for a person')).toBeTruthy()
})

test('what was tried is kept as a test, with the customer and the time at which it began', async () => {
  render(<Panel />)
  expect(screen.queryByRole('button', { name: 'Keep as test' })).toBeNull()
  write('hello')
  fireEvent.click(screen.getByRole('button', { name: '+1 hour' }))
  fireEvent.click(screen.getByRole('button', { name: 'Keep as test' }))
  fireEvent.change(screen.getByLabelText('Name of the test'), { target: { value: ' Greets ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Keep' }))
  expect(await screen.findByRole('button', { name: 'Keep as test' })).toBeTruthy()
  expect(onKeep).toHaveBeenLastCalledWith('Greets', {
    at: Date.parse('2026-03-09T06:30:00.000Z'),
    person: expect.objectContaining({ name: 'Asha Rao' }),
    lines: [
      { type: 'message', parts: [{ contentType: 'text', text: 'hello' }] },
      { type: 'wait', seconds: 3600 },
    ],
  })
})

test('a form is filled in with the questions whose answers the flow uses, and others', () => {
  const form = draftFlowSchema.parse({
    format: 2,
    nodes: [
      node('start', 'trigger', { kind: 'any_message' }),
      node('form', 'action', { kind: 'form', text: 'Book a visit', button: 'Open', formId: '77' }),
      node('say', 'action', { kind: 'send_text', text: 'On {{session.Wanted day}}, {{session.Guests|1}} guests' }),
    ],
    edges: [
      { id: 'a', source: 'start', branch: 'next', target: 'form' },
      { id: 'b', source: 'form', branch: 'next', target: 'say' },
    ],
  })
  render(<Panel flow={form} />)
  write('hi')
  expect(log().getByText('Book a visit')).toBeTruthy()
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  expect(screen.getByLabelText<HTMLInputElement>('Question 2').value).toBe('Guests')
  type('Answer 1', 'Monday')
  fireEvent.click(screen.getByRole('button', { name: 'Add a question' }))
  type('Question 3', 'Name')
  type('Answer 3', 'Meera')
  fireEvent.click(screen.getByRole('button', { name: 'Send the form' }))
  expect(log().getByText(/Wanted day: Monday/).textContent).toBe('Wanted day: Monday\nName: Meera')
  expect(log().getByText('On Monday, 1 guests')).toBeTruthy()
  expect(screen.queryByRole('form', { name: 'Answers of the form' })).toBeNull()
})
