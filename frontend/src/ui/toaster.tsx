import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import CloseCircleFilled from '@ant-design/icons/CloseCircleFilled'
import CloseOutlined from '@ant-design/icons/CloseOutlined'
import InfoCircleFilled from '@ant-design/icons/InfoCircleFilled'
import * as RadixToast from '@radix-ui/react-toast'
import { dismissToast, type ToastRecord, toastDurationMs, useToasts } from './toast.ts'
import styles from './toaster.module.css'

const icons = { success: CheckCircleFilled, note: InfoCircleFilled, error: CloseCircleFilled } as const

/** Shows toasts: one at a time, 5 s, swipe right by 50 px, F8 goes to them. */
export function Toaster() {
  const toasts = useToasts()
  return (
    <RadixToast.Provider duration={toastDurationMs} swipeDirection="right" swipeThreshold={50} label="Notification">
      {toasts.map(({ id, kind, text, open, undo }) => (
        <RadixToast.Root
          key={id}
          open={open}
          onOpenChange={(isOpen) => !isOpen && dismissToast(id)}
          className={`${styles['toast']} ${styles[kind]}`}
          data-kind={kind}
        >
          <ToastIcon kind={kind} />
          <div className={styles['words']}>
            {kind === 'error' && <RadixToast.Title className={styles['title']}>Error</RadixToast.Title>}
            <RadixToast.Description>{text}</RadixToast.Description>
          </div>
          {undo && (
            <RadixToast.Action asChild altText="Undo with Ctrl+Z">
              <button type="button" className={styles['undo']} onClick={undo}>
                Undo
              </button>
            </RadixToast.Action>
          )}
          <RadixToast.Close className={styles['close']} aria-label="Close">
            <CloseOutlined aria-hidden />
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport hotkey={['F8']} label="Notifications ({hotkey})" className={styles['viewport']} />
    </RadixToast.Provider>
  )
}

function ToastIcon({ kind }: Pick<ToastRecord, 'kind'>) {
  const Icon = icons[kind]
  return <Icon aria-hidden />
}
