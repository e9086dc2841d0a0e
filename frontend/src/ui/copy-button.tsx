import CheckOutlined from '@ant-design/icons/CheckOutlined'
import CopyOutlined from '@ant-design/icons/CopyOutlined'
import { useEffect, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { toast } from './toast.ts'
import { Tooltip } from './tooltip.tsx'

const thanksMs = 1600

/** Copies a text. `what` completes 'Copy …': `Copy phone number`. */
export function CopyButton({ what, text }: { what: string; text: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), thanksMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      toast.error('Your browser does not allow copying here. Select the text and copy it manually.')
    }
  }
  return (
    <Tooltip text={copied ? 'Copied' : `Copy ${what}`}>
      <IconButton label={copied ? 'Copied' : `Copy ${what}`} onClick={() => void copy()}>
        {copied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      </IconButton>
    </Tooltip>
  )
}
