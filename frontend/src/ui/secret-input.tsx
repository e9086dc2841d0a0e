import EyeInvisibleOutlined from '@ant-design/icons/EyeInvisibleOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import { type ComponentProps, useState } from 'react'
import styles from './secret-input.module.css'
import { TextInput } from './text-input.tsx'

/** A text that others must not read over the shoulder, with a switch that shows it. */
export function SecretInput({
  what = 'typed text',
  ...input
}: Omit<ComponentProps<typeof TextInput>, 'suffix' | 'type'> & { what?: string }) {
  const [shown, setShown] = useState(false)
  return (
    <TextInput
      autoCapitalize="none"
      spellCheck={false}
      {...input}
      type={shown ? 'text' : 'password'}
      suffix={
        <button
          type="button"
          className={styles['toggle']}
          aria-label={shown ? `Hide ${what}` : `Show ${what}`}
          onClick={() => setShown(!shown)}
        >
          {shown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
        </button>
      }
    />
  )
}
