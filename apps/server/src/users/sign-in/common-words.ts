/**
 * Words that the most common passwords are made of, as leaked lists show year after year. Very many passwords are one of these
 * with digits, symbols or a second such word around it.
 */
export const commonWords: ReadonlySet<string> = new Set(
  `
password passwort passwd passw pass motdepasse contrasena contraseña senha parola haslo salasana wachtwoord kennwort
admin administrator root user username login guest test tester testing demo default master manager support service
welcome welkom willkommen bienvenue hello hallo hola bonjour letmein letmeinnow openup opensesame access secret geheim
changeme changethis changeit temp temporary newpassword mypassword yourpassword oldpassword thisismypassword nopassword
qwerty qwertz azerty qwert asdf asdfgh asdfghjkl zxcvbn zxcvbnm qwertyuiop qazwsx qazwsxedc wsxedc abc abcd abcde abcdef abcdefg
iloveyou iloveu iloveme loveyou ilovegod ilovejesus loveme lovely lover loverboy lovergirl love mylove truelove forever
foreverlove foreveryoung jetaime teamo tiamo ichliebedich sweetheart sweetie sweet sweety honey darling baby babygirl
babyboy babydoll princess prince queen king angel angels angelo angelina beautiful gorgeous pretty cutie cute cupcake kitty
hellokitty pussycat kitten cat cats dog dogs doggy puppy monkey monkeys dragon dragons dragonball tiger tigers lion lions
eagle eagles falcon hawk wolf wolves bear bears panda pandas panther panthers jaguar cobra snake shark dolphin dolphins
turtle horse horses pony unicorn butterfly ladybug spider spiderman superman batman ironman wolverine deadpool superhero
pokemon pikachu charizard naruto sasuke itachi goku vegeta sonic mario zelda minecraft fortnite roblox callofduty
counterstrike worldofwarcraft warcraft starcraft starwars startrek skywalker darthvader lukeskywalker stormtrooper yoda
matrix trinity neo gandalf hobbit frodo harrypotter hogwarts gryffindor voldemort hermione terminator rambo rocky
football soccer futbol baseball basketball hockey tennis golf golfer cricket volleyball softball swimming gymnastics
running skateboard snowboard surfing wrestling boxing karate liverpool chelsea arsenal manchester manunited manutd
barcelona fcbarcelona realmadrid madrid juventus milan intermilan bayern celtic rangers everton tottenham lakers
cowboys steelers packers patriots yankees redsox dodgers giants ravens broncos raiders chicago bulls celtics warriors
michael jordan michaeljordan lebron kobe ronaldo cristiano messi neymar beckham jessica jennifer ashley amanda nicole
michelle melissa stephanie elizabeth samantha danielle natalie vanessa veronica victoria isabella gabriela alexandra
alejandra alexander alejandro sebastian christian christopher christina christine catherine anthony matthew joshua
andrew daniel david robert william richard thomas charles joseph george james john jonathan benjamin nicholas brandon
justin jordan tyler austin hunter dakota morgan taylor madison hannah sophie charlotte patricia barbara margaret maria
mariana fernando francisco antonio roberto ricardo eduardo carlos gustavo rodrigo valentina estrella princesa corazon
mierda cabron chocolate chocolat vanilla strawberry blueberry banana orange apple cherry peaches cookie cookies candy
sugar pepper ginger cinnamon butter cheese pizza coffee whiskey tequila budweiser heineken cocacola pepsi
computer internet samsung iphone android google facebook youtube instagram twitter snapchat linkedin microsoft windows
apple macintosh linux ubuntu debian oracle mysql postgres database server network cisco router hacker hackers matrix
freedom liberty america american usa england london paris berlin madrid barcelona roma tokyo newyork chicago boston
dallas houston texas florida california canada australia brasil brazil mexico argentina colombia espana france germany
deutschland italia poland polska russia ukraine india pakistan indonesia philippines nigeria
jesus jesuschrist christ jesuslovesme godisgood godislove blessed blessing faith heaven hallelujah allah bismillah
mohammed muhammad krishna ganesh sairam buddha
summer winter spring autumn fall sommer herbst fruehling sunshine sunny sunflower rainbow moonlight moon star stars
starlight snowball snowman snow rain thunder lightning storm shadow midnight night darkness blackout diamond crystal
silver golden gold platinum purple yellow orange pink blue green black white red redrum flower flowers rose roses daisy
lily jasmine garden ocean river mountain forest nature beach island paradise
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday januar februar dezember montag freitag sonntag birthday christmas xmas halloween easter holiday
vacation weekend party dance dancer dancing music musica guitar piano drummer metallica nirvana slipknot linkinpark
greenday blink eminem tupac beyonce rihanna justinbieber onedirection beatles elvis hiphop rockstar rocknroll
mustang corvette camaro ferrari porsche lamborghini mercedes bmw audi toyota honda yamaha kawasaki suzuki ducati harley
harleydavidson chevrolet chevy ford truck trucks racing nascar motorcycle turbo
money dollar dollars rich richie million millionaire billionaire bitcoin crypto lucky luckyme winner success business
company office sales market marketing finance accounting invoice customer client
fuckyou fuckoff fuckme fucker motherfucker asshole bastard bitch bullshit shit sexy sexygirl sexyboy hotboy hotgirl
playboy playgirl stupid idiot whatever whatsup nothing noneofyourbusiness trustno trustme trustnoone nobody somebody
family mother father mommy daddy mama papa mummy brother sister grandma grandpa mamapapa friends friend friendship
bestfriend bestfriends bff boyfriend girlfriend husband wife children sonshine
school college university student students teacher teachers classof highschool
marine marines army navy airforce soldier sniper police fireman firefighter killer killers assassin ninja samurai
warrior warriors viking vikings pirate pirates cowboy knight knights wizard wizards magic merlin
phantom ghost vampire zombie devil lucifer satan demon hellfire
maverick goose topgun thunderbird blackjack casino poker joker jackass
computer computers keyboard monitor printer laptop desktop phone mobile telephone
killer charlie maggie buster bailey buddy shadow jasper oliver tigger snoopy garfield scooby scoobydoo mickey minnie
mickeymouse minniemouse donald goofy bugsbunny tweety sylvester simpsons homer bart spongebob patrick barbie winnie
winniethepooh peterpan tinkerbell cinderella snowwhite pocahontas
signpost qrcode qrcodes shortlink shortlinks shortener
`
    .trim()
    .split(/\s+/),
);

/** Common passwords of ten and more characters that no rule finds. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
correcthorsebatterystaple onetwothree onetwothreefour onetwothreefourfive trustnooneatall thequickbrownfox
thisisapassword thisisasecret thisisatest iamtheboss iamthebest iamthegreatest bethebest whatthefuck whatthehell
youshallnotpass maytheforcebewithyou winteriscoming valarmorghulis liveloughlove livelaughlove carpediem hakunamatata
supercalifragilisticexpialidocious tobeornottobe abracadabra abracadabra1 opensesame1 letmein1234 iloveyouso
iloveyousomuch iloveyouforever iloveyoubaby iloveyou2much ilovemyself ilovemyfamily ilovemymom ilovemydog ilovemycat
ilovemusic iloveyoujesus godblessme godblessyou godisgreat jesusislord jesussaves praisethelord inthenameofgod
mynameis passw0rdpassw0rd passwordpassword adminadmin rootroot testtest testtesttest useruser guestguest adminpassword
rootpassword userpassword defaultpassword masterpassword secretpassword superpassword strongpassword goodpassword
complexpassword bestpassword supersecret topsecret verysecret p@ssw0rd123 pa55word123 changemenow changemeplease
pleasechangeme pleaseletmein letmeinplease justletmein nevermind123 asdfasdfasdf qwerqwerqwer zxcvzxcvzxcv asdfqwerzxcv
qweasdzxc123 qweasdzxcv qweasdqwe123 zaqxswcdevfr zaq12wsxcde3 1qaz2wsx3edc 1qazxsw23edc 1q2w3e4r5t 1q2w3e4r5t6y 1q2w3e4r5t6y7u
q1w2e3r4t5 q1w2e3r4t5y6 a1b2c3d4e5 a1s2d3f4g5 z1x2c3v4b5 zaq1zaq1zaq1 qwe123qwe123 abc123abc123 abcd1234abcd 123qweasdzxc
123abc123abc 123qwe123qwe 1a2b3c4d5e aa12345678 a123456789 123456789a a1234567890 1234567890a q123456789 123456789q
0123456789a abc1234567 abcd123456 abcde12345 12345abcde 12345qwert qwert12345 123456qwerty qwerty123456 asdf123456
zxcvbn123456 147258369 1472583690 7894561230 159357258456 159753456852 741852963 9638527410 3216549870 1029384756
0192837465 6758493021 5432167890 1357924680 2468013579 1123581321 3141592653 31415926535 2718281828 1231231234 1234512345
1234567899 1234567891 1234567892 0987654321a 112233445566 11223344556677889900 9876543210a 101010101010 202020202020
123321123321 123454321 1234554321 12345654321 1234567654321 987654321987654321 0000011111 1111122222 1122112211
`
    .trim()
    .split(/\s+/),
);
