/** The most common shortcodes. Unknown ones remain text, as in a workspace without that emoji. */
const EMOJI = new Map(
  `white_check_mark ✅|heavy_check_mark ✔️|ballot_box_with_check ☑️|x ❌|negative_squared_cross_mark ❎|no_entry ⛔
no_entry_sign 🚫|warning ⚠️|exclamation ❗|heavy_exclamation_mark ❗|question ❓|grey_question ❔|bangbang ‼️
hourglass ⌛|hourglass_flowing_sand ⏳|stopwatch ⏱️|timer_clock ⏲️|alarm_clock ⏰|clock1 🕐|clock3 🕒|clock9 🕘
rocket 🚀|tada 🎉|confetti_ball 🎊|sparkles ✨|star ⭐|star2 🌟|fire 🔥|boom 💥|zap ⚡|bulb 💡|gear ⚙️|wrench 🔧
hammer 🔨|hammer_and_wrench 🛠️|package 📦|mag 🔍|mag_right 🔎|lock 🔒|unlock 🔓|key 🔑|link 🔗|paperclip 📎
bell 🔔|no_bell 🔕|loudspeaker 📢|mega 📣|speech_balloon 💬|thought_balloon 💭|left_speech_bubble 🗨️
eyes 👀|eye 👁️|bust_in_silhouette 👤|busts_in_silhouette 👥|raised_hand ✋|hand ✋|raising_hand 🙋|wave 👋
point_right 👉|point_left 👈|point_up 👆|point_down 👇|ok_hand 👌|+1 👍|thumbsup 👍|-1 👎|thumbsdown 👎|clap 👏
pray 🙏|handshake 🤝|muscle 💪|writing_hand ✍️|smile 😄|smiley 😃|grinning 😀|slightly_smiling_face 🙂|wink 😉
grin 😁|joy 😂|blush 😊|heart_eyes 😍|thinking_face 🤔|neutral_face 😐|confused 😕|cry 😢|sob 😭|rage 😡|sweat_smile 😅
sunglasses 😎|sleeping 😴|robot_face 🤖|ghost 👻|skull 💀|heart ❤️|broken_heart 💔|100 💯
large_green_circle 🟢|large_yellow_circle 🟡|large_orange_circle 🟠|red_circle 🔴|large_red_square 🟥|large_blue_circle 🔵
large_purple_circle 🟣|white_circle ⚪|black_circle ⚫|large_green_square 🟩|large_yellow_square 🟨|small_blue_diamond 🔹
arrow_right ➡️|arrow_left ⬅️|arrow_up ⬆️|arrow_down ⬇️|arrows_counterclockwise 🔄|repeat 🔁|fast_forward ⏩|rewind ⏪
arrow_forward ▶️|double_vertical_bar ⏸️|pause_button ⏸️|black_square_for_stop ⏹️|octagonal_sign 🛑|stop_sign 🛑
leftwards_arrow_with_hook ↩️|arrow_right_hook ↪️|heavy_plus_sign ➕|heavy_minus_sign ➖|information_source ℹ️
memo 📝|pencil 📝|pencil2 ✏️|page_facing_up 📄|page_with_curl 📃|scroll 📜|clipboard 📋|newspaper 📰|books 📚|book 📖
bookmark 🔖|label 🏷️|file_folder 📁|open_file_folder 📂|card_index_dividers 🗂️|wastebasket 🗑️|inbox_tray 📥
outbox_tray 📤|envelope ✉️|incoming_envelope 📨|email 📧|calendar 📆|date 📅|spiral_calendar_pad 🗓️
chart_with_upwards_trend 📈|chart_with_downwards_trend 📉|bar_chart 📊|computer 💻|desktop_computer 🖥️|floppy_disk 💾
satellite_antenna 📡|electric_plug 🔌|battery 🔋|test_tube 🧪|microscope 🔬|bug 🐛|ant 🐜|beetle 🐞|lady_beetle 🐞
construction 🚧|rotating_light 🚨|traffic_light 🚦|checkered_flag 🏁|triangular_flag_on_post 🚩|white_flag 🏳️
trophy 🏆|medal 🏅|dart 🎯|art 🎨|crystal_ball 🔮|coffee ☕|tea 🍵|pizza 🍕|cake 🍰|seedling 🌱|evergreen_tree 🌲
earth_africa 🌍|earth_americas 🌎|globe_with_meridians 🌐|sunny ☀️|cloud ☁️|umbrella ☔|snowflake ❄️|rainbow 🌈|anchor ⚓
ship 🚢|airplane ✈️|car 🚗|house 🏠|office 🏢|moneybag 💰|credit_card 💳|scales ⚖️|shield 🛡️|crossed_swords ⚔️
one 1️⃣|two 2️⃣|three 3️⃣|four 4️⃣|five 5️⃣|six 6️⃣|seven 7️⃣|eight 8️⃣|nine 9️⃣|keycap_ten 🔟|zero 0️⃣|wrench_and_hammer 🛠️`
    .split(/[|\n]/)
    .map((entry): [string, string] => {
      const [name = '', character = ''] = entry.split(' ');
      return [name, character];
    }),
);

/** `name` is the shortcode without the colons. */
export function Emoji({ name }: { name: string }) {
  const character = EMOJI.get(name.replace(/::skin-tone-[2-6]$/, ''));
  if (character === undefined) return `:${name}:`;
  return (
    <span role="img" aria-label={name.replaceAll('_', ' ')} title={`:${name}:`}>
      {character}
    </span>
  );
}

/** Plain text with emoji shortcodes. */
export function TextWithEmoji({ text }: { text: string }) {
  const pieces = text.split(/:([a-z0-9_+'-]+):/);
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other identity
  return pieces.map((piece, index) => (index % 2 === 1 ? <Emoji key={index} name={piece} /> : piece));
}

/** The same, as a string for options, titles and labels. */
export function textWithEmoji(text: string): string {
  return text.replace(/:([a-z0-9_+'-]+):/g, (whole, name: string) => EMOJI.get(name) ?? whole);
}
