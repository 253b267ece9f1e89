import { pinyin } from 'pinyin-pro'

const chineseRun = /\p{Script=Han}+/gu

/**
 * An address with its Chinese characters converted to pinyin, as the interface does it before a payout is sent:
 * `上海市浦东新区 88号` becomes `Shang Hai Shi Pu Dong Xin Qu 88 Hao`. Everything else stays as it is. The package is
 * large: a form that previews the conversion imports this file when it is needed.
 */
export function addressInPinyin(address: string): string {
  return address
    .replace(chineseRun, (run) => ` ${splitSyllables(run).map(capitalised).join(' ')} `)
    .replace(/[，、。；：]/g, ', ')
    .replace(/\s+/g, ' ')
    .replace(/ ,/g, ',')
    .trim()
}

/** Characters that the dictionary does not have stay as they are. */
function splitSyllables(run: string): string[] {
  return pinyin(run, { toneType: 'none', type: 'array', v: true })
}

function capitalised(syllable: string): string {
  return syllable.charAt(0).toUpperCase() + syllable.slice(1)
}
