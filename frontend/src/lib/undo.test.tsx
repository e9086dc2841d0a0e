import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { toast, useToasts } from '../ui/toast.ts'
import { offerUndo, undoChange } from './undo.ts'

const shown = () => renderHook(() => useToasts()).result.current.map(({ text }) => text)

test('what is undone is told', async () => {
  offerUndo('3 contacts deleted.', () => undefined)
  await undoChange()
  expect(shown()).toEqual(['Undone.'])
})

test('an undo that takes its time does not take away what was reported meanwhile; one that fails is told', async () => {
  let end: (error?: Error) => void = () => undefined
  const undo = () =>
    new Promise<void>((resolve, reject) => {
      end = (error) => (error ? reject(error) : resolve())
    })
  offerUndo('3 contacts deleted.', undo)
  const undone = undoChange()
  toast.success('Asha Rao added.')
  end()
  await undone
  expect(shown()).toEqual(['Asha Rao added.'])
  offerUndo('3 contacts deleted.', undo)
  const failed = undoChange()
  toast.success('Asha Rao added.')
  end(new Error('refused'))
  await failed
  expect(shown()).toEqual(['That could not be undone. Try again.'])
})
