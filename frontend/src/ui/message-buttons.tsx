import CopyOutlined from '@ant-design/icons/CopyOutlined'
import EnterOutlined from '@ant-design/icons/EnterOutlined'
import ExportOutlined from '@ant-design/icons/ExportOutlined'
import FormOutlined from '@ant-design/icons/FormOutlined'
import PhoneOutlined from '@ant-design/icons/PhoneOutlined'
import ShopOutlined from '@ant-design/icons/ShopOutlined'
import UnorderedListOutlined from '@ant-design/icons/UnorderedListOutlined'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import styles from './message-buttons.module.css'

const icons = {
  quick_reply: EnterOutlined,
  url: ExportOutlined,
  phone: PhoneOutlined,
  copy_code: CopyOutlined,
  flow: FormOutlined,
  voice_call: PhoneOutlined,
  catalog: ShopOutlined,
  products: UnorderedListOutlined,
  product: ShopOutlined,
} as const satisfies Record<TemplateButton['kind'], unknown>

export interface MessageButton {
  readonly kind: keyof typeof icons
  readonly text: string
}

/** The buttons below a message, as WhatsApp shows them. They are the customer's to press. */
export const MessageButtons = ({ buttons }: { buttons: readonly MessageButton[] }) => (
  <ul className={styles['buttons']} aria-label="Buttons">
    {buttons.map(({ kind, text }, index) => {
      const Icon = icons[kind]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a button has no identity but its place.
        <li key={index} className={styles['button']}>
          <Icon aria-hidden />
          <span dir="auto">{text || 'Button'}</span>
        </li>
      )
    })}
  </ul>
)
