//! Whole models: shapes that broke engines in the field, and the shapes of the inclusive-join decision table.

use super::check;

#[test]
fn inclusive_joins() {
    check(&[
        (
            "s > F > A > O > E1; F > B{!error err > E2} > O",
            "s:start F:and A:user O:or E1:end B:user B_err:!B(error err) E2:end; s>F F>A A>O O>E1 F>B B_err>E2 B>O",
        ),
        (
            "s > Os > A* > O; Os > B* > O; Os > C* > O > E",
            "s:start Os:or A:auto O:or B:auto C:auto E:end; s>Os Os>A A>O Os>B B>O Os>C C>O O>E",
        ),
        (
            "s > F > A > O; F > B{~m1 > X} > X > O > C > E",
            "s:start F:and A:user O:or B:user B_m1:~B(message m1) X:xor C:user E:end; s>F F>A A>O F>B B_m1>X B>X X>O O>C C>E",
        ),
        (
            "s > F > A > O.i1; F > B > M > O.i2; F > W > X > M; X > O.i3",
            "s:start F:and A:user O:or B:user M:xor W:user X:xor; s>F F>A i1:A>O F>B B>M i2:M>O F>W W>X X>M i3:X>O",
        ),
        (
            "s > O1 > O2 > A > O4; O2 > O3; O2 > B > O3 > O4 > O5 -[again]> O1; O5 -[done]> E",
            "s:start O1:or O2:or A:user O4:or O3:or B:user O5:or E:end; s>O1 O1>O2 O2>A A>O4 O2>O3 O2>B B>O3 O3>O4 O4>O5 O5>O1[again] O5>E[done]",
        ),
        (
            "s > Os -[t]> A > O; Os -[t]> B > O; Os -[f]> C > O > D > E",
            "s:start Os:or A:user O:or B:user C:user D:user E:end; s>Os Os>A[t] A>O Os>B[t] B>O Os>C[f] C>O O>D D>E",
        ),
        (
            "s > SP{s1 > Os > A > O; Os > B > O > C > e} > E",
            "s:start SP:sub#1 E:end; s>SP SP>E || s1:start Os:or A:user O:or B:user C:user e:end; s1>Os Os>A A>O Os>B B>O O>C C>e",
        ),
        (
            "s > Os -[p]> A > O; Os -[q]> B > O; Os -[default]> D > O > E",
            "s:start Os:or A:user O:or B:user D:user E:end; s>Os Os>A[p] A>O Os>B[q] B>O Os>D[default] D>O O>E",
        ),
    ]);
}

#[test]
fn parallel_joins() {
    check(&[
        (
            "s > F > A > M; F > B > M > J.i1; F > D > J.i2; J > C > E",
            "s:start F:and A:user M:xor B:user J:and D:user C:user E:end; s>F F>A A>M F>B B>M i1:M>J F>D i2:D>J J>C C>E",
        ),
        (
            "s > F > A > J; F > X1 -[t]> B > X2; X1 -[f]> X2 > J > E",
            "s:start F:and A:user J:and X1:xor B:user X2:xor E:end; s>F F>A A>J F>X1 X1>B[t] B>X2 X1>X2[f] X2>J J>E",
        ),
        (
            "s > F > A > J; F > M > B > X -[ok]> J; X -[redo]> M; J > C > E",
            "s:start F:and A:user J:and M:xor B:user X:xor C:user E:end; s>F F>A A>J F>M M>B B>X X>J[ok] X>M[redo] J>C C>E",
        ),
        (
            "s > F > A > J; F > B > J; F > D > J > C > E",
            "s:start F:and A:user J:and B:user D:user C:user E:end; s>F F>A A>J F>B B>J F>D D>J J>C C>E",
        ),
        (
            "s > F > A > J; F > X -[p]> B > J; X -[q]> D > J > E",
            "s:start F:and A:user J:and X:xor B:user D:user E:end; s>F F>A A>J F>X X>B[p] B>J X>D[q] D>J J>E",
        ),
        (
            "s > M > F > A > J; F > B > J > C > X -[again]> M; X > E",
            "s:start M:xor F:and A:user J:and B:user C:user X:xor E:end; s>M M>F F>A A>J F>B B>J J>C C>X X>M[again] X>E",
        ),
    ]);
}

#[test]
fn complex_and_event_gateways() {
    check(&[
        (
            "s > M > F > A > K(1) -[waitingForStart]> C > X -[again]> M; F > B > K; X > E",
            "s:start M:xor F:and A:user K:complex(1) C:user X:xor B:user E:end; s>M M>F F>A A>K K>C[waitingForStart] C>X X>M[again] F>B B>K X>E",
        ),
        (
            "s > G > catch c(message m) > A > E1; G > catch t(timer PT1H) > B > E2",
            "s:start G:gate c:catch(message m) A:user E1:end t:catch(duration PT1H) B:user E2:end; s>G G>c c>A A>E1 G>t t>B B>E2",
        ),
    ]);
}

#[test]
fn life_cycles() {
    check(&[
        (
            "s > SP{s1 > A* > B* > e}{!error err > C > E2} > D > E1",
            "s:start SP:sub#1 SP_err:!SP(error err) C:user E2:end D:user E1:end; s>SP SP_err>C C>E2 SP>D D>E1 || s1:start A:auto B:auto e:end; s1>A A>B B>e",
        ),
        (
            "s > A{!m1 > C > E1}{~m2 > D > E2} > B > E3",
            "s:start A:user A_m1:!A(message m1) C:user E1:end A_m2:~A(message m2) D:user E2:end B:user E3:end; s>A A_m1>C C>E1 A_m2>D D>E2 A>B B>E3",
        ),
        (
            "s > A{~m > B > E2} > E1",
            "s:start A:user A_m:~A(message m) B:user E2:end E1:end; s>A A_m>B B>E2 A>E1",
        ),
        (
            "s > F > J; F > A{!error err > ET} > J > E",
            "s:start F:and J:and A:user A_err:!A(error err) ET:end(terminate) E:end; s>F F>J F>A A_err>ET A>J J>E",
        ),
        (
            "s > F > A > E; F > B > E",
            "s:start F:and A:user E:end B:user; s>F F>A A>E F>B B>E",
        ),
        (
            "s > SP{s1 > F > A > J; F > B > J > e}{!m > C > E2} > E1",
            "s:start SP:sub#1 SP_m:!SP(message m) C:user E2:end E1:end; s>SP SP_m>C C>E2 SP>E1 || s1:start F:and A:user J:and B:user e:end; s1>F F>A A>J F>B B>J J>e",
        ),
        (
            "s > F > A* > E1; F > B* > E2",
            "s:start F:and A:auto E1:end B:auto E2:end; s>F F>A A>E1 F>B B>E2",
        ),
        (
            "s > F > A > E1; F > service B",
            "s:start F:and A:user E1:end B:service; s>F F>A A>E1 F>B",
        ),
    ]);
}

#[test]
fn acyclic_decision_models() {
    check(&[
        // D
        (
            "start S; or J; e:S>O; O>A; 1:A>J; O>B; 2:B>J; o:J>End",
            "S:start J:or O:or A:user B:user End:end; e:S>O O>A 1:A>J O>B 2:B>J o:J>End",
        ),
        // X
        (
            "start S; or J; e:S>O; O>A; 1:A>J; O>B; c:B>X; 2:X>J; X>Q>E2; o:J>End",
            "S:start J:or O:or A:user B:user X:xor Q:user E2:end End:end; e:S>O O>A 1:A>J O>B c:B>X 2:X>J X>Q Q>E2 o:J>End",
        ),
        // C
        (
            "start S; or J; S>O; a:O>X; 1:X>J; 2:X>J; O>B; 3:B>J",
            "S:start J:or O:or X:xor B:user; S>O a:O>X 1:X>J 2:X>J O>B 3:B>J",
        ),
        // N
        (
            "or J J1; O>A; 1:A>J1; O>B; 2:B>J1; 3:J1>J; O>C; 4:C>J",
            "J:or J1:or O:or A:user B:user C:user; O>A 1:A>J1 O>B 2:B>J1 3:J1>J O>C 4:C>J",
        ),
        // P
        (
            "or J; and PJ; F>A; 1:A>J; F>B>X; 2:X>J; p:X>PJ; J>PJ>End",
            "J:or PJ:and F:and A:user B:user X:xor End:end; F>A 1:A>J F>B B>X 2:X>J p:X>PJ J>PJ PJ>End",
        ),
        // Q
        (
            "or J; and PJ; F>A; 1:A>J; p:F>PJ; Z>PJ>W; 2:W>J",
            "J:or PJ:and F:and A:user Z:user W:user; F>A 1:A>J p:F>PJ Z>PJ PJ>W 2:W>J",
        ),
        // EV
        (
            "or J; gate E; catch M(message m) T(timer PT1H); F>A; 1:A>J; F>E>M; 2:M>J; E>T>E2",
            "J:or E:gate M:catch(message m) T:catch(duration PT1H) F:and A:user E2:end; F>A 1:A>J F>E E>M 2:M>J E>T T>E2",
        ),
        // B1
        (
            "or J; 1:A>J; B{~n > C}>E2; 2:C>J",
            "J:or A:user B:user B_n:~B(message n) C:user E2:end; 1:A>J B_n>C B>E2 2:C>J",
        ),
        // B2
        (
            "or J; A>m; B{~n > m}; 1:m>J; 2:B>J",
            "J:or A:user m:xor B:user B_n:~B(message n); A>m B_n>m 1:m>J 2:B>J",
        ),
    ]);
}

#[test]
fn cyclic_decision_models() {
    check(&[
        // L
        (
            "start S; or J; 1:S>J>T>X; x:X>J; X>End",
            "S:start J:or T:user X:xor End:end; 1:S>J J>T T>X x:X>J X>End",
        ),
        // LD
        (
            "start S; or J; S>m>O>A; 1:A>J; O>B; 2:B>J>X; r:X>m; X>End",
            "S:start J:or m:xor O:or A:user B:user X:xor End:end; S>m m>O O>A 1:A>J O>B 2:B>J J>X r:X>m X>End",
        ),
        // V
        (
            "or J1 J2; a:F>J1; b:F>J2; J1>P1; y:P1>J2; P1>End; J2>P2; x:P2>J1; P2>End",
            "J1:or J2:or F:and P1:user End:end P2:user; a:F>J1 b:F>J2 J1>P1 y:P1>J2 P1>End J2>P2 x:P2>J1 P2>End",
        ),
        // W
        (
            "start S; or J1 J2; S>m>X1>End; X1>O; 3:O>J1; 4:O>J2; 8:J1>J2>X2; 1:X2>J1; X2>m",
            "S:start J1:or J2:or m:xor X1:xor End:end O:or X2:xor; S>m m>X1 X1>End X1>O 3:O>J1 4:O>J2 8:J1>J2 J2>X2 1:X2>J1 X2>m",
        ),
        // K
        (
            "start S; or J; and PJ; S>m>F>O; 1:O>J; 2:O>J; p:F>PJ; J>PJ>X>m; X>End",
            "S:start J:or PJ:and m:xor F:and O:or X:xor End:end; S>m m>F F>O 1:O>J 2:O>J p:F>PJ J>PJ PJ>X X>m X>End",
        ),
        // U
        (
            "start S; or J1 J2; and G; S>F; g:F>G; F>m; 5:G>J1; 6:G>J2; 7:m>J2; 9:J2>J1>X>m; X>End",
            "S:start J1:or J2:or G:and F:and m:xor X:xor End:end; S>F g:F>G F>m 5:G>J1 6:G>J2 7:m>J2 9:J2>J1 J1>X X>m X>End",
        ),
    ]);
}
