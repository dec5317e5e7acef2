//! The aliases of the typed dialect: another name for a row, with the containers that it takes. A row reads:
//!
//! ```text
//! name = row Guard; "example call" => "its value";
//! ```
//!
//! They stand in the order of their names. A suffix names the container that an alias is for; the guard is what the function of that name
//! in the ancestor's Python accepts, which is often more: `remove_f` keeps a tuple a tuple, `sfilter_t` makes a tuple of a set, and only
//! what slices or subscripts its argument needs a tuple.
//!
//! `mfilter_t` and `normalize_t` do what their rows do; the ancestor's Python has `mfilter_t` give the set of the items that are
//! kept, not merged, and `normalize_t` its argument. None of its programs calls either.

/// Calls `$expand` with all aliases.
macro_rules! for_each_alias {
    ($expand:ident) => {
        $expand! {
            apply_f = apply None; "apply_f(double, frozenset({1, 2}))" => "frozenset({2, 4})";
            apply_t = apply AsTuple; "apply_t(double, (1, 2, 3))" => "(2, 4, 6)";
            argmax_f = argmax None; "argmax_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}), size)" => "frozenset({(1, 0), (1, 1)})";
            argmax_t = argmax None; "argmax_t(((1,), (2, 3)), size)" => "(2, 3)";
            argmin_f = argmin None; "argmin_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}), size)" => "frozenset({(0, 0)})";
            argmin_t = argmin None; "argmin_t(((1,), (2, 3)), size)" => "(1,)";
            cmirror_f = cmirror Patch; "cmirror_f(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 2), (2, 4)})";
            cmirror_i = cmirror Patch; "cmirror_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 2), (2, 4)})";
            cmirror_o = cmirror Patch; "cmirror_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(5, (1, 2)), (4, (2, 4))})";
            cmirror_t = cmirror Tuple; "cmirror_t(((1, 2), (3, 4)))" => "((4, 2), (3, 1))";
            colorcount_f = colorcount Patch; "colorcount_f(frozenset({(4, (1, 2)), (5, (3, 3))}), 5)" => "1";
            colorcount_t = colorcount AsTuple; "colorcount_t(((1, 2), (2, 2)), 2)" => "3";
            combine_f = combine Set; "combine_f(frozenset({1}), frozenset({2}))" => "frozenset({1, 2})";
            combine_t = combine Tuple; "combine_t((1, 2), (3,))" => "(1, 2, 3)";
            difference_t = difference_tuple None; "difference_t((3, 1, 2), (1,))" => "(3, 2)";
            dmirror_f = dmirror Patch; "dmirror_f(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 2), (2, 4)})";
            dmirror_i = dmirror Indices; "dmirror_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 2), (2, 4)})";
            dmirror_o = dmirror Object; "dmirror_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(4, (1, 2)), (5, (2, 4))})";
            dmirror_t = dmirror AsTuple; "dmirror_t(((1, 2), (3, 4)))" => "((1, 3), (2, 4))";
            f_ofcolor = ofcolor None; "f_ofcolor(((1, 2), (2, 1)), 2)" => "frozenset({(0, 1), (1, 0)})";
            first_f = first None; "first_f(frozenset({7}))" => "7";
            first_t = first Tuple; "first_t((7, 8, 9))" => "7";
            get_arg_rank_f = get_arg_rank None; "get_arg_rank_f(frozenset({1, 2}), identity, F0)" => "2";
            get_arg_rank_t = get_arg_rank None; "get_arg_rank_t((1, 2), identity, F0)" => "2";
            get_color_rank_f = get_color_rank Patch; "get_color_rank_f(frozenset({(1, (0, 0)), (2, (0, 1)), (2, (0, 2))}), F0)" => "2";
            get_color_rank_t = get_color_rank AsTuple; "get_color_rank_t(((1, 2, 2),), F0)" => "2";
            get_common_rank_f = get_common_rank None; "get_common_rank_f(frozenset({4, 5}), F0)" => "4";
            get_common_rank_t = get_common_rank Tuple; "get_common_rank_t((1, 1, 2), F0)" => "2";
            get_nth_by_key_f = get_nth_by_key None; "get_nth_by_key_f(frozenset({1, 2}), F0, invert)" => "2";
            get_nth_by_key_t = get_nth_by_key None; "get_nth_by_key_t(((1, 2, 3), (4,)), F0, size)" => "(4,)";
            get_nth_f = get_nth None; "get_nth_f(frozenset({7, 8, 9}), L1)" => "9";
            get_nth_t = get_nth Tuple; "get_nth_t((7, 8, 9), F0)" => "7";
            get_val_rank_f = get_val_rank None; "get_val_rank_f(frozenset({1, 2}), double, F0)" => "2";
            get_val_rank_t = get_val_rank None; "get_val_rank_t((1, 2), double, F0)" => "2";
            height_f = height Patch; "height_f(frozenset({(1, 2), (3, 3)}))" => "3";
            height_i = height Indices; "height_i(frozenset({(1, 2), (3, 3)}))" => "3";
            height_o = height Object; "height_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "3";
            height_t = height AsTuple; "height_t(((1, 2), (3, 4), (5, 6)))" => "3";
            hline_i = hline Indices; "hline_i(frozenset({(1, 2), (3, 3)}))" => "F";
            hline_o = hline Object; "hline_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "F";
            hmirror_f = hmirror Patch; "hmirror_f(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 3), (3, 2)})";
            hmirror_i = hmirror Indices; "hmirror_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 3), (3, 2)})";
            hmirror_o = hmirror Object; "hmirror_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(5, (1, 3)), (4, (3, 2))})";
            hmirror_t = hmirror Tuple; "hmirror_t(((1, 2), (3, 4)))" => "((3, 4), (1, 2))";
            last_f = last None; "last_f(frozenset({7}))" => "7";
            last_t = last Tuple; "last_t((7, 8, 9))" => "9";
            leastcolor_f = leastcolor Patch; "leastcolor_f(frozenset({(4, (1, 2)), (4, (3, 3))}))" => "4";
            leastcolor_t = leastcolor AsTuple; "leastcolor_t(((1, 2), (2, 2)))" => "1";
            leastcommon_t = leastcommon Tuple; "leastcommon_t((1, 2, 2))" => "1";
            leftmost_i = leftmost Indices; "leftmost_i(frozenset({(1, 2), (3, 3)}))" => "2";
            leftmost_o = leftmost Object; "leftmost_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "2";
            llcorner_i = llcorner Indices; "llcorner_i(frozenset({(1, 2), (3, 3)}))" => "(3, 2)";
            llcorner_o = llcorner Object; "llcorner_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "(3, 2)";
            lowermost_i = lowermost Indices; "lowermost_i(frozenset({(1, 2), (3, 3)}))" => "3";
            lowermost_o = lowermost Object; "lowermost_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "3";
            lrcorner_i = lrcorner Indices; "lrcorner_i(frozenset({(1, 2), (3, 3)}))" => "(3, 3)";
            lrcorner_o = lrcorner Object; "lrcorner_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "(3, 3)";
            mapply_f = mapply None; "mapply_f(dneighbors, frozenset({(0, 0)}))" => "frozenset({(-1, 0), (0, -1), (0, 1), (1, 0)})";
            mapply_t = mapply AsTuple; "mapply_t(identity, ((1, 2), (3,)))" => "(1, 2, 3)";
            merge_f = merge None; "merge_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}))" => "frozenset({(0, 0), (1, 0), (1, 1)})";
            merge_t = merge None; "merge_t(((1, 2), (3,)))" => "(1, 2, 3)";
            mfilter_f = mfilter None; "mfilter_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}), square)" => "frozenset({(0, 0)})";
            mfilter_t = mfilter Tuple; "mfilter_t(((1, 2), (3,)), identity)" => "(1, 2, 3)";
            mostcolor_f = mostcolor Patch; "mostcolor_f(frozenset({(4, (1, 2)), (4, (3, 3))}))" => "4";
            mostcolor_t = mostcolor AsTuple; "mostcolor_t(((1, 2), (2, 2)))" => "2";
            mostcommon_t = mostcommon Tuple; "mostcommon_t((1, 2, 2))" => "2";
            normalize_i = normalize Indices; "normalize_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(0, 0), (2, 1)})";
            normalize_o = normalize Object; "normalize_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(4, (0, 0)), (5, (2, 1))})";
            normalize_t = normalize Tuple; "normalize_t(((2, 3), (3, 3)))" => "frozenset({(0, 0), (1, 0)})";
            numcolors_f = numcolors Patch; "numcolors_f(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "2";
            numcolors_t = numcolors AsTuple; "numcolors_t(((1, 2), (2, 5)))" => "3";
            other_f = other None; "other_f(frozenset({1, 2}), 1)" => "2";
            other_t = other None; "other_t((1, 2), 1)" => "2";
            palette_f = palette Patch; "palette_f(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({4, 5})";
            palette_t = palette AsTuple; "palette_t(((1, 2), (2, 5)))" => "frozenset({1, 2, 5})";
            portrait_f = portrait Patch; "portrait_f(frozenset({(1, 2), (3, 3)}))" => "T";
            portrait_t = portrait Tuple; "portrait_t(((1,), (2,)))" => "T";
            rapply_f = rapply None; "rapply_f(frozenset({double}), 6)" => "frozenset({12})";
            rapply_t = rapply AsTuple; "rapply_t((double, halve), 6)" => "(12, 3)";
            recolor_i = recolor Indices; "recolor_i(3, frozenset({(1, 2), (3, 3)}))" => "frozenset({(3, (1, 2)), (3, (3, 3))})";
            recolor_o = recolor Object; "recolor_o(3, frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(3, (1, 2)), (3, (3, 3))})";
            remove_f = remove None; "remove_f(2, frozenset({1, 2}))" => "frozenset({1})";
            remove_t = remove AsTuple; "remove_t(2, (1, 2, 3))" => "(1, 3)";
            rightmost_i = rightmost Indices; "rightmost_i(frozenset({(1, 2), (3, 3)}))" => "3";
            rightmost_o = rightmost Object; "rightmost_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "3";
            sfilter_f = sfilter AsSet; "sfilter_f(frozenset({1, 2, 4}), even)" => "frozenset({2, 4})";
            sfilter_t = sfilter AsTuple; "sfilter_t((1, 2, 3, 4), even)" => "(2, 4)";
            shape_f = shape Patch; "shape_f(frozenset({(1, 2), (3, 3)}))" => "(3, 2)";
            shape_t = shape Tuple; "shape_t(((1, 2, 3),))" => "(1, 3)";
            size_f = size None; "size_f(frozenset({4, 5}))" => "2";
            size_t = size None; "size_t((4, 5, 6))" => "3";
            square_f = square Patch; "square_f(frozenset({(1, 2), (3, 3)}))" => "F";
            square_t = square Tuple; "square_t(((1, 2), (3, 4)))" => "T";
            toindices_i = identity None; "toindices_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 2), (3, 3)})";
            toindices_o = toindices Object; "toindices_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(1, 2), (3, 3)})";
            ulcorner_i = ulcorner Indices; "ulcorner_i(frozenset({(1, 2), (3, 3)}))" => "(1, 2)";
            ulcorner_o = ulcorner Object; "ulcorner_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "(1, 2)";
            uppermost_i = uppermost Indices; "uppermost_i(frozenset({(1, 2), (3, 3)}))" => "1";
            uppermost_o = uppermost Object; "uppermost_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "1";
            upscale_f = upscale Patch; "upscale_f(frozenset({(4, (0, 0))}), 2)" => "frozenset({(4, (0, 0)), (4, (0, 1)), (4, (1, 0)), (4, (1, 1))})";
            upscale_t = upscale AsTuple; "upscale_t(((1,),), 2)" => "((1, 1), (1, 1))";
            urcorner_i = urcorner Indices; "urcorner_i(frozenset({(1, 2), (3, 3)}))" => "(1, 3)";
            urcorner_o = urcorner Object; "urcorner_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "(1, 3)";
            valmax_f = valmax None; "valmax_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}), size)" => "2";
            valmax_t = valmax None; "valmax_t(((1,), (2, 3)), size)" => "2";
            valmin_f = valmin None; "valmin_f(frozenset({frozenset({(0, 0)}), frozenset({(1, 0), (1, 1)})}), size)" => "1";
            valmin_t = valmin None; "valmin_t(((1,), (2, 3)), size)" => "1";
            vline_i = vline Indices; "vline_i(frozenset({(1, 2), (3, 3)}))" => "F";
            vline_o = vline Object; "vline_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "F";
            vmirror_f = vmirror Patch; "vmirror_f(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 3), (3, 2)})";
            vmirror_i = vmirror Indices; "vmirror_i(frozenset({(1, 2), (3, 3)}))" => "frozenset({(1, 3), (3, 2)})";
            vmirror_o = vmirror Object; "vmirror_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "frozenset({(4, (1, 3)), (5, (3, 2))})";
            vmirror_t = vmirror AsTuple; "vmirror_t(((1, 2), (3, 4)))" => "((2, 1), (4, 3))";
            width_f = width Patch; "width_f(frozenset({(1, 2), (3, 3)}))" => "2";
            width_i = width Indices; "width_i(frozenset({(1, 2), (3, 3)}))" => "2";
            width_o = width Object; "width_o(frozenset({(4, (1, 2)), (5, (3, 3))}))" => "2";
            width_t = width Tuple; "width_t(((1, 2, 3),))" => "3";
        }
    };
}
pub(super) use for_each_alias;
