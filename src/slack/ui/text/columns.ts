/** Chinese, Japanese and Korean characters and emoji are as wide as two letters. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Extended_Pictographic}/gu;

export function columnsOf(text: string): number {
  return text.length + (/[^\0-\u10ff]/.test(text) ? (text.match(WIDE)?.length ?? 0) : 0);
}
