import ShoppingCartOutlined from '@ant-design/icons/ShoppingCartOutlined'
import type { MessageContent } from '@parley/contracts/inbox/messages'
import { counted, formatAmount } from '../../../lib/format.ts'
import { MessageCard } from './message-card.tsx'
import styles from './message-content.module.css'
import { MessageText } from './message-text.tsx'

type Order = Extract<MessageContent, { type: 'order' }>

/** Shows the items of a customer's catalogue cart, and their total. */
export function OrderContent({ order: { items, total, text } }: { order: Order }) {
  const pieces = items.reduce((sum, { quantity = 1 }) => sum + quantity, 0)
  return (
    <>
      <MessageCard
        icon={<ShoppingCartOutlined />}
        title={`Order of ${counted(pieces, 'item')}`}
        detail={total ? `Total ${formatAmount(total.amount, total.currency)}` : 'No total: see the items'}
      />
      <ul className={styles['order']} aria-label="Items of the order">
        {items.map(({ id, quantity, price, currency }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order never changes, and may name a product twice.
          <li key={at}>
            <span className={styles['product']} dir="auto">
              {id || 'Unnamed product'}
            </span>
            <span>
              {[quantity, price === undefined ? 'price unknown' : formatAmount(price, currency)]
                .filter((part) => part !== undefined)
                .join(' × ')}
            </span>
          </li>
        ))}
      </ul>
      {text && <MessageText text={text} />}
    </>
  )
}
