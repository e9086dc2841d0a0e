import { Alert } from 'antd'
import { type ReactNode, useState } from 'react'
import { toast } from '../../ui/toast.ts'

export interface Explanation {
  /** What did not happen: `Nothing was saved.` */
  readonly short: string
  /** Why, and what a person can do instead. */
  readonly why: ReactNode
}

/**
 * What a button says that needs a server while the settings are sample data: never a false success. The
 * words stay beside the button; the toast says them once.
 */
export function useNotChanged(): { explain: (words: Explanation) => void; notice: ReactNode } {
  const [explanation, setExplanation] = useState<Explanation>()
  const explain = (words: Explanation) => {
    setExplanation(words)
    toast.note(words.short)
  }
  const notice = explanation && (
    <Alert
      type="info"
      showIcon
      role="note"
      title={
        <>
          <b>{explanation.short}</b> {explanation.why}
        </>
      }
    />
  )
  return { explain, notice }
}
