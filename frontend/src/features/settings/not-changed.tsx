import InfoCircleOutlined from '@ant-design/icons/InfoCircleOutlined'
import { type ReactNode, useState } from 'react'
import { toast } from '../../ui/toast.ts'
import styles from './settings.module.css'

export interface Plainly {
  /** What did not happen: `Nothing was saved.` */
  readonly short: string
  /** Why, and what a person can do instead. */
  readonly why: ReactNode
}

/**
 * What a button says that needs a server while the settings are sample data (readings 17): never a false success. The
 * words stay beside the button; the toast says them once.
 */
export function useNotChanged(): { say: (words: Plainly) => void; notice: ReactNode } {
  const [said, setSaid] = useState<Plainly>()
  const say = (words: Plainly) => {
    setSaid(words)
    toast.note(words.short)
  }
  const notice = said && (
    <p className={styles['notice']}>
      <InfoCircleOutlined aria-hidden />
      <span>
        <b>{said.short}</b> {said.why}
      </span>
    </p>
  )
  return { say, notice }
}
