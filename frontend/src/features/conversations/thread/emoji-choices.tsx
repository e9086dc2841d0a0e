import styles from '../composer/composer.module.css'

/** The faces and things that people write most; every other is a key away on the person's own keyboard. */
const emojis = [
  ...['😀', '😁', '😂', '😊', '😍', '😘', '😉', '😎', '🤗', '🤔', '😅', '😇', '🙂', '😢', '😮', '😕'],
  ...['👍', '👎', '👌', '🙏', '👏', '🙌', '💪', '👋', '✌️', '🤝', '❤️', '💚', '🔥', '🎉', '✨', '⭐'],
  ...['✅', '❌', '❗', '❓', '📍', '📞', '📷', '📎', '📦', '🚚', '🛒', '💳', '🕒', '📅', '☕', '🎁'],
] as const

export function EmojiChoices({ onChoose }: { onChoose: (emoji: string) => void }) {
  return (
    <div className={styles['emojis']}>
      {emojis.map((emoji) => (
        <button key={emoji} type="button" onClick={() => onChoose(emoji)}>
          {emoji}
        </button>
      ))}
    </div>
  )
}
