import { act, render, renderHook, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { changeNode } from './flow-edits.ts'
import { NodeForm } from './node-form.tsx'
import { starterFlows } from './starter-flows.ts'
import { useFlowDraft } from './use-flow-draft.ts'

const flow = starterFlows.sample

test('an undo after a save leads back to what was saved, not past it', () => {
  const { result } = renderHook(() => useFlowDraft(flow))
  const saved = { ...flow, edges: [] }
  act(() => result.current.change(() => saved, 'form a'))
  act(() => result.current.markSaved(saved))
  act(() => result.current.change((before) => ({ ...before, nodes: [] }), 'form a'))
  expect(result.current.dirty).toBe(true)
  act(() => result.current.undo())
  expect([result.current.flow === saved, result.current.dirty]).toEqual([true, false])
})

function Builder() {
  const draft = useFlowDraft(flow)
  const node = draft.flow.nodes.find(({ type }) => type === 'action')
  if (!node) return null
  return (
    <>
      <button type="button" onClick={draft.undo}>
        Undo
      </button>
      <NodeForm
        key={draft.revision}
        what="bot"
        node={node}
        onChange={(values, isApart) =>
          draft.change((before) => changeNode(before, node.id, values), isApart ? undefined : 'form')
        }
      />
    </>
  )
}

test('an undo of another kind brings back the kind before with all that was typed', async () => {
  render(<Builder />)
  await userEvent.type(screen.getByLabelText('Label'), ' of the morning')
  const typed = screen.getByLabelText<HTMLInputElement>('Label').value
  const kind = screen.getByLabelText<HTMLInputElement>('Kind')
  const before = kind.closest('.ant-select')?.textContent
  await userEvent.click(kind)
  const other = (await screen.findAllByTitle(/./)).find(({ title }) => title !== before)
  await userEvent.click(other ?? document.body)
  expect(screen.getByLabelText('Kind').closest('.ant-select')?.textContent).not.toBe(before)
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(screen.getByLabelText('Kind').closest('.ant-select')?.textContent).toBe(before)
  expect(screen.getByDisplayValue(typed)).toBeTruthy()
})
