import { fillPlaceholders } from '@parley/contracts/templates/placeholders'
import type { TextAreaRef } from 'antd/es/input/TextArea'
import { useLayoutEffect, useRef, useState } from 'react'

/**
 * The text that is being written, and its field.
 * @param values of the contact's variables: `{{name}}` becomes the name as soon as it is written.
 */
export function useComposerText(initial: () => string, values: Readonly<Record<string, string>>) {
  const [text, setText] = useState(initial)
  const [caretAt, setCaretAt] = useState(text.length)
  const field = useRef<TextAreaRef>(null)
  const caret = useRef<number>(undefined)
  const area = () => field.current?.resizableTextArea?.textArea
  // A field whose value is set by the page has its caret at the end.
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    area()?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })
  function replace(from: number, to: number, words: string): void {
    caret.current = from + words.length
    setText(text.slice(0, from) + words + text.slice(to))
  }
  return {
    text,
    setText,
    field,
    /** Place of the caret in the text, once the person has typed or moved it. */
    caretAt,
    onCaret: ({ currentTarget: { selectionEnd } }: { currentTarget: HTMLTextAreaElement }) => setCaretAt(selectionEnd),
    focus: () => field.current?.focus({ cursor: 'end' }),
    /** The field again, with the caret where it was. */
    focusCaret: () => field.current?.focus(),
    /** Puts words where the caret is, in place of what is selected. */
    insert(words: string): void {
      const { selectionStart = text.length, selectionEnd = text.length } = area() ?? {}
      replace(selectionStart, selectionEnd, words)
    },
    replace,
    /** Takes typed text. */
    type(typed: string): void {
      const filled = fillPlaceholders(typed, values)
      if (filled !== typed) caret.current = (area()?.selectionEnd ?? typed.length) + filled.length - typed.length
      setText(filled)
    },
  }
}
