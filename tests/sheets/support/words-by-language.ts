import type { TextEncoding } from "#app/sheets/text/encodings.ts";

type Words = { encodings: TextEncoding[]; words: string[] };

function words(encodings: TextEncoding[], list: string): Words {
  return { encodings, words: list.split(" ") };
}

const western: TextEncoding[] = ["windows-1252", "iso-8859-1", "iso-8859-15", "macintosh"];
const central: TextEncoding[] = ["windows-1250", "iso-8859-2"];
const cyrillic: TextEncoding[] = ["windows-1251", "iso-8859-5"];

/** Names, places and things with letters beyond ASCII, as customer and product files have them. */
export const wordsByLanguage = {
  german: words(
    western,
    "Müller Schröder Jäger Köhler Krüger Weiß Groß Günther Böhm König Schäfer Straße München Köln Düsseldorf Nürnberg Würzburg Größe Äpfel Öl Übergang Grün Löffel Käse Tür Schlüssel Gürtel",
  ),
  french: words(
    western,
    "François Hélène Zoé Léa Rémi Jérôme Noël Anaïs Benoît Mélanie Élodie Évreux Orléans Besançon Nîmes Sèvres Forêt Château Crème Brûlée Théière Café Clémence Gaëlle Aurélie Cécile Rhône Béziers Sœur Cœur",
  ),
  spanish: words(
    western,
    "José María Núñez Peña Muñoz Gómez López Pérez Martínez Sánchez Rodríguez García Hernández Málaga Cádiz León Córdoba Móstoles España Año Niño Azúcar Cinturón Pantalón Ramón Ángel Íñigo Begoña",
  ),
  portuguese: words(
    western,
    "João São Conceição Gonçalves Magalhães Simões Antônio Brandão Guimarães Açores Calça Calções Maçã Pão Coração Ação Informações Útil Água Chá Câmara Avó Avô Município Brasília Goiânia",
  ),
  swedish: words(
    western,
    "Åsa Björn Göran Håkan Sjöberg Ström Öberg Östersund Malmö Göteborg Jönköping Växjö Västerås Säng Stövlar Kläder Tröja Mössa Väska Lindström Åkesson Sjögren",
  ),
  danish: words(
    western,
    "Søren Jørgensen Sørensen Møller Kjær Nørgaard Åse Århus Ærø Ålborg Næstved Køge Grøn Blå Rød Støvler Tøj Bælte Skål Kærlighed Østergaard Bjørn",
  ),
  polish: words(
    central,
    "Łukasz Michał Paweł Małgorzata Wójcik Dąbrowski Zieliński Wiśniewski Kamiński Szymański Woźniak Łódź Kraków Gdańsk Poznań Wrocław Białystok Częstochowa Ścieżka Żółty Książka Świeca Źródło",
  ),
  czech: words(
    central,
    "Dvořák Novák Svobodová Černý Procházka Kučera Veselý Horák Němec Pokorný Růžička Beneš Sedláček Plzeň Králové České Budějovice Příbram Třebíč Jiří Tomáš Lukáš Václav",
  ),
  hungarian: words(
    central,
    "Kovács Tóth Szabó Horváth Molnár Németh Győr Pécs Székesfehérvár Erdős Szűcs Fűzfa Győző Ödön Ágnes Éva Zoltán László Gergő Tűz Hűtő Cipő",
  ),
  turkish: words(
    ["windows-1254", "iso-8859-9"],
    "Yılmaz Öztürk Şahin Yıldız Aydın Özdemir Doğan Kılıç Çelik Şimşek Güneş Işık İstanbul Muğla Eskişehir Diyarbakır Ayşe Gülşen Çağla Oğuz Gömlek Kırmızı Yeşil Gözlük Çanta",
  ),
  russian: words(
    cyrillic,
    "Иван Пётр Мария Анна Сергей Иванов Петров Смирнова Кузнецов Москва Казань Новосибирск Екатеринбург Красный Кружка Рубашка Книга Стол Синий Платье Ботинки Имя Фамилия Город Телефон Улица",
  ),
  ukrainian: words(
    cyrillic,
    "Олександр Сергій Наталія Ірина Київ Львів Харків Одеса Дніпро Червоний Сорочка Книжка Стіл Синій Плаття Черевики Ім'я Прізвище Місто Їжак Європа Шевченко Бойко Ткаченко",
  ),
  japanese: words(
    ["shift_jis", "euc-jp"],
    "渡辺 佐藤 鈴木 高橋 田中 花子 太郎 東京都新宿区 大阪市北区 名前 住所 電話番号 メールアドレス ワタナベ サトウ すずき 株式会社 商品名 りんご ティーシャツ 横浜市 京都府 神奈川県",
  ),
  chinese: words(
    ["gb18030"],
    "王伟 李娜 张敏 刘洋 陈静 杨丽 北京市朝阳区 上海市浦东新区 广东省深圳市 姓名 电话 邮箱 地址 衬衫 红色 连衣裙 杯子 蓝色 运动鞋 浙江省杭州市 赵磊 黄艳",
  ),
};
