import { Alert } from 'antd'
import { type ReactNode, useState } from 'react'
import { toast } from '../../ui/toast.ts'

export interface Explanation {
  /** Summary of what did not happen: `Nothing was saved.` */
  readonly short: string
  /** Why, and what a person can do instead. */
  readonly why: ReactNode
}

/**
 * Returns the message of a button that needs a server while the settings are sample data: never a false success. The text stays
 * beside the button; the toast shows it once.
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
