import { clsx } from 'clsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'danger-quiet'
/** 28, 32 or 36 px high. */
export type ButtonSize = 'small' | 'base' | 'large'

const base =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border font-medium whitespace-nowrap select-none transition-colors pointer-large [&_svg]:size-4 [&_svg]:shrink-0'

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'bg-surface text-ink shadow-control hover:bg-hover',
  quiet: 'border-transparent text-soft hover:bg-hover hover:text-ink',
  danger: 'border-transparent bg-bad text-on-bad hover:bg-bad-strong',
  'danger-quiet': 'bg-surface text-bad shadow-control hover:bg-bad-wash',
}

const sizes: Record<ButtonSize, string> = {
  small: 'h-7 px-2.5 text-xs',
  base: 'h-8 px-3',
  large: 'h-9 px-3.5',
}

const squares: Record<ButtonSize, string> = { small: 'size-7', base: 'size-8', large: 'size-9' }

/** The class of anything that looks like a button: a button, a link, a menu's trigger. */
export function buttonStyle({
  variant = 'secondary',
  size = 'base',
  isUnavailable = false,
  isSquare = false,
  className,
}: {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  isUnavailable?: boolean | undefined
  isSquare?: boolean | undefined
  className?: string | undefined
} = {}): string {
  return clsx(
    base,
    isUnavailable ? 'border-dashed border-edge/60 text-faint' : variants[variant],
    isSquare ? squares[size] : sizes[size],
    className,
  )
}
